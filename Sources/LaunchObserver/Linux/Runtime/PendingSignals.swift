// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// Signals that have arrived at a thread and are not blocked there: /proc/PID/status (proc(5)). Bit 0 is signal 1.
struct PendingSignals {
  private(set) var thread: UInt64 = 0
  private(set) var process: UInt64 = 0

  init(of thread: Int32) {
    let status = fileText(ProcessFiles.folder(thread) + "/status") ?? ""
    func signals(_ name: String) -> UInt64 { status.line(after: "\(name):\t").flatMap { UInt64($0, radix: 16) } ?? 0 }
    let blocked = signals("SigBlk")
    self.thread = signals("SigPnd") & ~blocked
    process = signals("ShdPnd") & ~blocked
  }
}
