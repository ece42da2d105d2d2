// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// A tracepoint of the kernel as tracefs describes it: its number, and where its fields are in a raw record.
struct Tracepoint: Equatable {
  struct Field: Equatable {
    /// From the record's beginning, bytes.
    var offset: Int
    /// 1, 2, 4 or 8 bytes.
    var size: Int
  }

  /// perf's `config` for it.
  private(set) var id: UInt64
  private(set) var fields: [String: Field]

  /// Reads the description of `<category>/<name>`.
  ///
  /// - Parameter roots: directories where tracefs may be.
  /// - Returns: nil when it is not there or not for us.
  init?(_ name: String, in roots: [String]) {
    guard let text = roots.lazy.compactMap({ fileText("\($0)/events/\(name)/format") }).first else { return nil }
    self.init(format: text)
  }

  /// - Parameter format: lines `ID: N` and `field:TYPE NAME; offset:N; size:N; signed:N;`, with arrays as `NAME[N]`.
  /// - Returns: nil for another form.
  init?(format: String) {
    var id: UInt64?
    fields = [:]
    for line in format.split(separator: "\n") {
      let parts = line.split(separator: ";").map { $0.drop { $0 == " " || $0 == "\t" } }
      if line.hasPrefix("ID:") { id = UInt64(line.dropFirst(3).drop { $0 == " " }) }
      guard let first = parts.first, first.hasPrefix("field:"), let name = first.split(separator: " ").last,
        let offset = Self.number("offset:", parts), let size = Self.number("size:", parts),
        [1, 2, 4, 8].contains(size), (0..<0x10000).contains(offset)
      else { continue }
      fields[String(name)] = Field(offset: offset, size: size)
    }
    guard let id else { return nil }
    self.id = id
  }

  private static func number(_ key: String, _ parts: [Substring]) -> Int? {
    parts.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
  }
}

/// The scheduler's two tracepoints that say what a thread waits for, and who ends its wait.
struct SchedulerTracepoints: Equatable {
  let switchID: UInt64
  let wakingID: UInt64
  /// A field of `sched_switch`.
  let state: Tracepoint.Field
  let previous: Tracepoint.Field
  /// A field of `sched_waking`.
  let woken: Tracepoint.Field
  let flags: Tracepoint.Field

  /// Those of this system; nil when tracefs is not there, not for us, or says something else.
  static func ofSystem() -> SchedulerTracepoints? {
    // Where tracefs is by itself, and where it was before Linux 4.1.
    if let mounted = SchedulerTracepoints(in: ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"]) { return mounted }
    let directory = lo_open_tracefs()
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    return SchedulerTracepoints(in: ["/proc/self/fd/\(directory)"])
  }

  private init?(in roots: [String]) {
    guard let change = Tracepoint("sched/sched_switch", in: roots),
      let waking = Tracepoint("sched/sched_waking", in: roots)
    else { return nil }
    self.init(switch: change, waking: waking)
  }

  init?(switch change: Tracepoint, waking: Tracepoint) {
    guard let state = change.fields["prev_state"], let previous = change.fields["prev_pid"],
      let woken = waking.fields["pid"], let flags = waking.fields["common_flags"]
    else { return nil }
    (switchID, wakingID) = (change.id, waking.id)
    (self.state, self.previous, self.woken, self.flags) = (state, previous, woken, flags)
  }

  /// Whether processes are called here as the kernel itself calls them: we are in its first pid namespace
  /// (PROC_PID_INIT_INO).
  static let hasOwnNumbers: Bool = {
    var status = stat()
    return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == 0xefff_fffc
  }()
}
