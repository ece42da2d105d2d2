// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
internal import CLaunchSchema
import Glibc

/// The environment variables between launcher and recorder: docs/trace-format.md.
package enum LaunchVariable {
  package static let trace = LS_VARIABLE_TRACE
  package static let start = LS_VARIABLE_START
  package static let budgets = LS_VARIABLE_BUDGETS
  package static let prepared = LS_VARIABLE_PREPARED
  /// An inherited descriptor of that file: opening the file would cost the program some microseconds.
  static let descriptor = LS_VARIABLE_DESCRIPTOR
  /// The rate of the cycle counter, so that the recorder need not measure it.
  static let clock = LS_VARIABLE_CLOCK
  /// `1`: record private values in full.
  package static let unredacted = LS_VARIABLE_UNREDACTED
  /// Set by the user, and passed on unchanged.
  static let limit = LS_VARIABLE_LIMIT
  /// The file that the agent writes to.
  static let agentFile = LS_VARIABLE_AGENT_FILE
  /// The variables that a launch sets.
  static let ofLaunch = [trace, start, clock, budgets, prepared, descriptor, unredacted, agentFile]
}

/// Variables whose receiver is one process: they contain its id (sd_listen_fds(3), sd_watchdog_enabled(3), systemd.exec(5), GIO's
/// GDesktopAppInfo). If the launcher is that process, they are meant for the program.
enum ProcessVariable {
  static let names = ["LISTEN_PID", "WATCHDOG_PID", "SYSTEMD_EXEC_PID", "GIO_LAUNCHED_DESKTOP_FILE_PID"]

  /// The length of the name and `=`, if the entry is such a variable and contains `processID`; otherwise nil.
  static func prefix(of entry: [UInt8], naming processID: pid_t) -> Int? {
    names.first { entry == Array("\($0)=\(processID)".utf8) }.map { $0.utf8.count + 1 }
  }
}

/// The environment that the launcher started with, byte for byte and in its order.
struct LaunchEnvironment {
  private let entries: [[UInt8]]

  init() {
    var entries: [[UInt8]] = []
    var entry = lo_environment()
    while let text = entry?.pointee {
      entries.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
      entry = entry?.advanced(by: 1)
    }
    self.entries = entries
  }

  /// The first entry counts, as for getenv(3).
  subscript(name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

  /// The value of the first entry of a name. It need not be UTF-8.
  func bytes(_ name: String) -> [UInt8]? {
    let prefix = Array("\(name)=".utf8)
    return entries.first { $0.starts(with: prefix) }.map { Array($0.dropFirst(prefix.count)) }
  }

  /// The entries for a program: without the variables of an outer launcher, and with `changes`.
  func entries(with changes: [String: String]) -> [[UInt8]] {
    let replaced = Set(LaunchVariable.ofLaunch).union(changes.keys).map { Array("\($0)=".utf8) }
    return entries.filter { entry in !replaced.contains { entry.starts(with: $0) } }
      + changes.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
  }
}
