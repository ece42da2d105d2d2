// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import Testing

/// Which of two pieces of evidence counts: every pair, in both orders.
struct LaunchReasonPriorityTests {
  private struct Piece {
    var id: String
    var environment: [String: String] = [:]
    var arguments: [String] = []
    var isOnTerminal = false
  }

  /// The strongest first. Pieces of the same rank give the same reason.
  private static let pieces: [Piece] = [
    Piece(id: "sessionRestore", arguments: ["--restore"]),
    Piece(id: "functionRuntime", environment: ["AWS_LAMBDA_RUNTIME_API": "h"]),
    Piece(
      id: "timer", environment: ["INVOCATION_ID": "a", "SYSTEMD_EXEC_PID": "4242", "TRIGGER_UNIT": "a.timer"]),
    Piece(id: "socketActivation", environment: ["LISTEN_PID": "4242", "LISTEN_FDS": "1"]),
    Piece(id: "dbusActivation", arguments: ["--gapplication-service"]),
    Piece(id: "desktopLauncher", environment: ["GIO_LAUNCHED_DESKTOP_FILE_PID": "4242"]),
    Piece(id: "systemdService", environment: ["INVOCATION_ID": "a", "SYSTEMD_EXEC_PID": "4242"]),
    Piece(id: "continuousIntegration", environment: ["CI": "true"]),
    Piece(id: "terminal", isOnTerminal: true),
    Piece(id: "desktopLauncher", environment: ["XDG_ACTIVATION_TOKEN": "t"]),
    Piece(id: "dbusActivation", environment: ["DBUS_STARTER_BUS_TYPE": "session"]),
    Piece(id: "url", arguments: ["https://example.org"]),
  ]

  @Test func theStrongerOfEveryPairCounts() {
    for (place, strong) in Self.pieces.enumerated() {
      for weak in Self.pieces[(place + 1)...] {
        var expected = strong.id
        // A desktop that starts a program with a URL passes it on. One that starts units gives them a token.
        if strong.id == "desktopLauncher", weak.id == "url" { expected = "url" }
        if strong.id == "systemdService", weak.environment["XDG_ACTIVATION_TOKEN"] != nil {
          expected = "desktopLauncher"
        }
        let evidence = LaunchReasonTests.evidence(
          strong.environment.merging(weak.environment) { $1 }, strong.arguments + weak.arguments,
          onTerminal: strong.isOnTerminal || weak.isOnTerminal)
        #expect(LaunchReason(evidence).id == expected, "\(strong) with \(weak)")
      }
    }
  }

  @Test func aTerminalThatDBusStartedIsATerminal() {
    let environment = ["DBUS_STARTER_ADDRESS": "a", "DBUS_STARTER_BUS_TYPE": "session"]
    #expect(LaunchReasonTests.reason(environment, onTerminal: true) == .terminal)
  }

  @Test func whatIsHandedOverReachesTheOptionsWhoeverLaunched() {
    let circumstances = LaunchCircumstances(LaunchReasonTests.evidence([:], ["/a", "https://b"], onTerminal: true))
    #expect(circumstances.reason == .terminal)
    #expect(circumstances.options.url == "/a")
    #expect(circumstances.connectionOptions.urlContexts.map(\.url) == ["/a", "https://b"])
  }
}
