// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A test's own session bus: dbus-daemon.
final class SessionBus {
  /// Value of `DBUS_SESSION_BUS_ADDRESS`.
  let address: String
  private let daemon: RunningProcess

  /// - Parameter environment: the environment of services that it starts. Their definitions are in
  ///   `XDG_DATA_HOME/dbus-1/services`.
  init(in directory: TemporaryDirectory, environment: [String: String]) throws {
    let socket = directory.appending("bus")
    address = "unix:path=\(socket)"
    daemon = try RunningProcess.start(
      "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=\(address)"],
      adding: environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 })
    try waitUntil("dbus-daemon (Debian: dbus-daemon; scripts/test installs it) listens") { Self.listens(socket) }
  }

  /// The file of a socket is there before the socket listens, which is a flag in proc(5), net/unix: `__SO_ACCEPTCON`.
  private static func listens(_ socket: String) -> Bool {
    let sockets = (try? contents("/proc/net/unix")) ?? []
    return String(decoding: sockets, as: UTF8.self).split(separator: "\n").contains {
      $0.hasSuffix(" \(socket)") && $0.contains(" 00010000 ")
    }
  }

  deinit {
    daemon.signal(SIGTERM)
    _ = try? daemon.finish(timeout: 10)
  }

  /// Calls a method and returns the result as gdbus prints it.
  @discardableResult
  func call(_ name: String, _ path: String, _ method: String, _ arguments: [String] = []) throws -> String {
    let run = try TestProcess.run(
      "/usr/bin/gdbus",
      ["call", "--address", address, "--dest", name, "--object-path", path, "--method", method] + arguments)
    guard run.succeeded else { throw ToolFailure("gdbus call \(method) (Debian: libglib2.0-bin): \(run.errorText)") }
    return run.text
  }

  /// The process that owns a name.
  func processID(of name: String) throws -> pid_t {
    let answer = try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", [name])
    // `(uint32 1234,)`
    let digits = answer.split { !$0.isNumber }.last.map(String.init) ?? ""
    guard let number = pid_t(digits), number > 1 else { throw ToolFailure("no process in \(answer)") }
    return number
  }
}
