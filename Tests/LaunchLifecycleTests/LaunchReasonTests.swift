// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import Testing

/// The evidence table of docs/launch-reasons.md, row by row. `LaunchReasonPriorityTests` tests conflicting evidence.
struct LaunchReasonTests {
  static let ownID: Int32 = 4242

  static func evidence(
    _ environment: [String: String] = [:], _ arguments: [String] = [], parent: Int32 = 77, onTerminal: Bool = false
  ) -> LaunchEvidence {
    LaunchEvidence(
      environment: environment, arguments: arguments, processID: ownID, parentProcessID: parent,
      isOnTerminal: onTerminal)
  }

  static func reason(
    _ environment: [String: String] = [:], _ arguments: [String] = [], parent: Int32 = 77, onTerminal: Bool = false
  ) -> LaunchReason { LaunchReason(evidence(environment, arguments, parent: parent, onTerminal: onTerminal)) }

  private static let unit = ["INVOCATION_ID": "b1a5", "SYSTEMD_EXEC_PID": "4242"]

  @Test(arguments: [
    (["XDG_ACTIVATION_TOKEN": "t"], LaunchReason.desktopLauncher(desktopFile: nil)),
    (["DESKTOP_STARTUP_ID": "t"], .desktopLauncher(desktopFile: nil)),
    (
      ["GIO_LAUNCHED_DESKTOP_FILE": "/usr/share/applications/a.desktop", "GIO_LAUNCHED_DESKTOP_FILE_PID": "4242"],
      .desktopLauncher(desktopFile: "/usr/share/applications/a.desktop")
    ),
    (["DBUS_STARTER_ADDRESS": "unix:path=/x"], .dbusActivation(busType: nil)),
    (["DBUS_STARTER_ADDRESS": "a", "DBUS_STARTER_BUS_TYPE": "session"], .dbusActivation(busType: "session")),
    (unit, .systemdService(invocationID: "b1a5")),
    (unit.merging(["NOTIFY_SOCKET": "/run/n"]) { $1 }, .systemdService(invocationID: "b1a5")),
    (["LISTEN_PID": "4242", "LISTEN_FDS": "1"], .socketActivation(names: [])),
    (
      ["LISTEN_PID": "4242", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "web:admin"],
      .socketActivation(names: ["web", "admin"])
    ),
    (
      unit.merging(["TRIGGER_UNIT": "a.timer", "TRIGGER_TIMER_REALTIME_USEC": "1700000000000000"]) { $1 },
      .timer(unit: "a.timer", realtime: 1_700_000_000_000_000)
    ),
    (unit.merging(["TRIGGER_UNIT": "a.timer"]) { $1 }, .timer(unit: "a.timer", realtime: nil)),
    (
      unit.merging(["TRIGGER_UNIT": "a.path", "TRIGGER_PATH": "/spool"]) { $1 },
      .pathUnit(unit: "a.path", path: "/spool")
    ),
    (unit.merging(["TRIGGER_UNIT": "a.path"]) { $1 }, .pathUnit(unit: "a.path", path: nil)),
    (["AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001"], .functionRuntime(initializationType: nil)),
    (
      ["AWS_LAMBDA_RUNTIME_API": "h", "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start"],
      .functionRuntime(initializationType: "snap-start")
    ),
    (["CI": "true"], .continuousIntegration),
    (["GITHUB_ACTIONS": "true"], .continuousIntegration),
    ([:], .unknown),
  ])
  func variables(environment: [String: String], expected: LaunchReason) {
    #expect(Self.reason(environment) == expected)
  }

  @Test(arguments: [
    (["--sm-client-id", "10ab"], LaunchReason.sessionRestore(clientID: "10ab")),
    (["--sm-client-id=10ab"], .sessionRestore(clientID: "10ab")),
    (["--sm-client-id"], .sessionRestore(clientID: nil)),
    (["--restore"], .sessionRestore(clientID: nil)),
    (["--gapplication-service"], .dbusActivation(busType: nil)),
    (["https://example.org/a"], .url([OpenURLContext(url: "https://example.org/a")])),
    (["mailto:a@example.org"], .url([OpenURLContext(url: "mailto:a@example.org")])),
    (["--config=/etc/x", "/tmp/a.txt"], .url([OpenURLContext(url: "/tmp/a.txt")])),
    (["--config", "/etc/x", "/tmp/a.txt"], .url([OpenURLContext(url: "/tmp/a.txt")])),
    (["--verbose", "--", "/tmp/a.txt"], .url([OpenURLContext(url: "/tmp/a.txt")])),
    (["--", "-x", "/tmp/a.txt"], .url([OpenURLContext(url: "/tmp/a.txt")])),
    (["-", "/tmp/a.txt"], .url([OpenURLContext(url: "/tmp/a.txt")])),
    // The value of an option, as far as these arguments show.
    (["--config", "/etc/x"], .unknown),
    (["-c", "/etc/x", "--database", "https://example.org"], .unknown),
    (["/a", "file:///b"], .url([OpenURLContext(url: "/a"), OpenURLContext(url: "file:///b")])),
    // Neither URLs nor absolute paths. Also, arguments after `--` are not options.
    (["C:/a", "key:value", "a.txt", "./a", "://", ":", "1http://a", "é://a", ""], .unknown),
    (["--", "--restore", "--gapplication-service", "--sm-client-id"], .unknown),
  ])
  func arguments(arguments: [String], expected: LaunchReason) { #expect(Self.reason([:], arguments) == expected) }

  /// A desktop file passes what to open with `%u`, often after an option.
  @Test(arguments: [["XDG_ACTIVATION_TOKEN": "t"], ["GIO_LAUNCHED_DESKTOP_FILE_PID": "4242"]])
  func aDesktopAlsoPassesWhatToOpenAfterAnOption(environment: [String: String]) {
    let circumstances = LaunchCircumstances(Self.evidence(environment, ["--new-window", "/tmp/a.txt"]))
    #expect(circumstances.reason == .url([OpenURLContext(url: "/tmp/a.txt")]))
    #expect(circumstances.options.url == "/tmp/a.txt")
  }

  /// The delegates must not open what did not count as something to open.
  @Test func valuesOfOptionsAreNotOpenedIfNothingElseIsKnown() {
    let values = LaunchCircumstances(Self.evidence([:], ["--config", "/etc/x"]))
    #expect(values.context == .uncertain)
    #expect(values.options == LaunchOptions())
    #expect(values.connectionOptions.isEmpty)
    let mixed = LaunchCircumstances(Self.evidence([:], ["/a", "--config", "/etc/x", "/b"]))
    #expect(mixed.options.url == "/a")
    #expect(mixed.connectionOptions.urlContexts.map(\.url) == ["/a", "/b"])
  }

  @Test func aTerminalIsOneInWhoseGroupTheProcessIs() {
    #expect(Self.reason(onTerminal: true) == .terminal)
    #expect(Self.reason(onTerminal: false) == .unknown)
  }

  /// Variables that name another process were inherited from it, or are invalid.
  @Test(arguments: ["4241", "", "x", "4242 ", "99999999999999999999", "-4242"])
  func whatNamesAnotherProcessIsNoEvidence(processID: String) {
    for environment in [
      ["INVOCATION_ID": "a", "SYSTEMD_EXEC_PID": processID.isEmpty ? "1" : processID],
      ["INVOCATION_ID": "a", "SYSTEMD_EXEC_PID": "1\(processID)", "TRIGGER_PATH": "/p", "TRIGGER_UNIT": "a.timer"],
      ["LISTEN_PID": processID, "LISTEN_FDS": "1"],
      ["LISTEN_PID": processID, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "a"],
      [
        "GIO_LAUNCHED_DESKTOP_FILE": "/a", "GIO_LAUNCHED_DESKTOP_FILE_PID": processID.isEmpty ? "0" : processID,
        "XDG_ACTIVATION_TOKEN": "t", "DESKTOP_STARTUP_ID": "t",
      ],
    ] {
      #expect(Self.reason(environment) == .unknown, "\(environment)")
      #expect(Self.reason(environment, onTerminal: true) == .terminal, "\(environment)")
    }
  }

  @Test(arguments: ["0", "-1", "", "many"])
  func noSocketsAreNoActivation(count: String) {
    #expect(Self.reason(["LISTEN_PID": "4242", "LISTEN_FDS": count]) == .unknown)
  }

  /// Before version 248, systemd did not pass its child's ID. Then only the parent process tells.
  @Test func anOldSystemdIsKnownByTheParent() {
    #expect(Self.reason(["INVOCATION_ID": "a"], parent: 1) == .systemdService(invocationID: "a"))
    #expect(Self.reason(["INVOCATION_ID": "a"], parent: 77) == .unknown)
    #expect(Self.reason(["INVOCATION_ID": "a", "SYSTEMD_EXEC_PID": "5"], parent: 1) == .unknown)
  }

  @Test func contexts() {
    func context(_ environment: [String: String], _ arguments: [String] = [], onTerminal: Bool = false)
      -> LaunchContext
    { LaunchCircumstances(Self.evidence(environment, arguments, onTerminal: onTerminal)).context }
    let lambda = ["AWS_LAMBDA_RUNTIME_API": "h"]
    func instance(_ type: String) -> [String: String] {
      lambda.merging(["AWS_LAMBDA_INITIALIZATION_TYPE": type]) { $1 }
    }
    #expect(context(["XDG_ACTIVATION_TOKEN": "t"]) == .userLaunch)
    #expect(context([:], ["https://a"]) == .userLaunch)
    #expect(context([:], ["--restore"]) == .userLaunch)
    #expect(context([:], onTerminal: true) == .userLaunch)
    #expect(context([:], ["--gapplication-service"]) == .backgroundLaunch)
    #expect(context(Self.unit) == .backgroundLaunch)
    #expect(context(["LISTEN_PID": "4242", "LISTEN_FDS": "1"]) == .backgroundLaunch)
    #expect(context(instance("on-demand")) == .userLaunch)
    #expect(context(instance("provisioned-concurrency")) == .prewarming)
    #expect(context(instance("snap-start")) == .prewarming)
    #expect(context(lambda) == .uncertain)
    #expect(context(["CI": "true"]) == .uncertain)
    #expect(context([:]) == .uncertain)
    #expect(context(["ActivePrewarm": "1"], onTerminal: true) == .prewarming)
    #expect(context(["ActivePrewarm": "0"], onTerminal: true) == .userLaunch)
  }
}
