// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Signals that have arrived at a thread and are not blocked there: /proc/PID/status (proc(5)). Bit 0 is signal 1.
struct PendingSignals {
  private(set) var thread: UInt64 = 0
  private(set) var process: UInt64 = 0

  init(of thread: Int32) {
    let lines = fileText(ProcessFiles.folder(thread) + "/status")?.split(separator: "\n") ?? []
    func signals(_ name: String) -> UInt64 {
      let line = lines.first { $0.hasPrefix(name) }
      return line.flatMap { UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16) } ?? 0
    }
    let blocked = signals("SigBlk:")
    self.thread = signals("SigPnd:") & ~blocked
    process = signals("ShdPnd:") & ~blocked
  }
}
