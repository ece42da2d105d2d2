internal import CLaunchObserver
internal import CLaunchSchema
import Glibc

/// The variables of the contract between launcher and recorder: docs/trace-format.md.
package enum LaunchVariable {
  package static let trace = LS_VARIABLE_TRACE
  package static let start = LS_VARIABLE_START
  package static let budgets = LS_VARIABLE_BUDGETS
  package static let prepared = LS_VARIABLE_PREPARED
  /// That file's, inherited: opening it would cost the program some microseconds.
  static let descriptor = LS_VARIABLE_DESCRIPTOR
  /// How fast the cycle counter runs, so that the recorder need not find out.
  static let clock = LS_VARIABLE_CLOCK
  /// `1`: private values are recorded as they are.
  package static let unredacted = LS_VARIABLE_UNREDACTED
  /// The user's, handed on as it is.
  static let limit = LS_VARIABLE_LIMIT
  /// Where the agent writes to.
  static let agentFile = LS_VARIABLE_AGENT_FILE
  /// Those that a launch sets.
  static let ofLaunch = [trace, start, clock, budgets, prepared, descriptor, unredacted, agentFile]
}

/// Variables by which whoever launches a program says that others are meant for it alone: they hold its process id
/// (sd_listen_fds(3), systemd.exec(5), GIO's GDesktopAppInfo). Of a launcher that was launched so itself, the program is meant.
enum ProcessVariable {
  static let names = ["LISTEN_PID", "SYSTEMD_EXEC_PID", "GIO_LAUNCHED_DESKTOP_FILE_PID"]

  /// How long name and `=` are, when the entry is such a variable and names `processID`; else nil.
  static func prefix(of entry: [UInt8], naming processID: pid_t) -> Int? {
    names.first { entry == Array("\($0)=\(processID)".utf8) }.map { $0.utf8.count + 1 }
  }
}

/// The environment that the launcher was started with, byte for byte and in its order.
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
  subscript(name: String) -> String? {
    let prefix = Array("\(name)=".utf8)
    return entries.first { $0.starts(with: prefix) }.map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
  }

  /// The entries for a program: without what an outer launcher told this one, and with `changes`.
  func entries(with changes: [String: String]) -> [[UInt8]] {
    let replaced = Set(LaunchVariable.ofLaunch).union(changes.keys).map { Array("\($0)=".utf8) }
    return entries.filter { entry in !replaced.contains { entry.starts(with: $0) } }
      + changes.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
  }
}
