// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver
import Glibc
internal import LaunchSystem

/// What a thread waits in, as /proc/PID/task/TID/syscall says it (proc(5)): the number of the system call, its six
/// arguments, the stack pointer, the instruction. A wait for a page has no arguments, and the number -1.
struct CurrentCall: Equatable {
  /// Empty while the thread runs.
  let text: Substring

  static let running = CurrentCall(text: "")

  var isRunning: Bool { text.isEmpty }

  /// The thread has ended, and has no stack any more. The first one stays until its process ends.
  var hasEnded: Bool { text == "-1 0x0 0x0" }

  /// The kernel continues some calls under this name after a stop (restart_syscall(2)).
  private static let continuation = "restart_syscall"

  /// Opens the file of a thread. Returns its descriptor; -1 if it does not exist, or is not to be read by this user.
  static func open(_ thread: Int32, of process: Int32) -> Int32 {
    openToRead(ProcessFiles.folder(ofThread: thread, of: process) + "/syscall")
  }

  /// Reads an open file `syscall`; nil if the thread has ended.
  static func read(_ file: Int32) -> CurrentCall? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, 0)
      if count <= 0 { return nil }
      let text = String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return text == "running" ? .running : CurrentCall(text: text[...])
    }
  }

  /// nil if the text has another form.
  var number: Int? { Int(text.prefix { $0 != " " }) }

  /// The other fields.
  var values: [UInt64] { text.split(separator: " ").dropFirst().map { UInt64($0.dropFirst(2), radix: 16) ?? 0 } }

  /// Whether a thread at `earlier` may have stayed there: it is at the same place, in the same call or its continuation.
  func mayContinue(_ earlier: CurrentCall) -> Bool {
    if self == earlier { return true }
    guard text.drop(while: { $0 != " " }) == earlier.text.drop(while: { $0 != " " }) else { return false }
    return number.map { WaitProbe.systemCallName($0) } == Self.continuation
  }
}

extension CurrentCall {
  #if arch(x86_64)
  private static let restarts = Int64(-516)

  /// The call of a stopped thread that the kernel will continue under that name (ERESTART_RESTARTBLOCK); nil for no such call.
  init?(continuedBy registers: lo_registers) {
    let values = withUnsafeBytes(of: registers.numbered) { Array($0.bindMemory(to: UInt64.self)) }
    guard registers.call >= 0, Int64(bitPattern: values[0]) == Self.restarts else { return nil }
    // rdi, rsi, rdx, r10, r8, r9, rsp, rip
    let fields = [5, 4, 1, 10, 8, 9, 7].map { values[$0] } + [registers.program_counter]
    text = "\(registers.call) \(fields.map { "0x" + String($0, radix: 16) }.joined(separator: " "))"
  }
  #else
  init?(continuedBy registers: lo_registers) { nil }
  #endif
}
