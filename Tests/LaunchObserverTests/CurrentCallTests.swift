// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import Testing

@testable import LaunchObserver

/// What /proc/PID/task/TID/syscall says.
struct CurrentCallTests {
  private func call(_ name: String, _ rest: String) throws -> CurrentCall {
    let number = try #require((0..<600).first { WaitProbe.systemCallName($0) == name })
    return CurrentCall(text: "\(number) \(rest)")
  }

  private let arguments = "0x0 0x0 0x7ffd10 0x7ffd20 0x0 0x0 0x7ffd00 0x7f0001"

  @Test func aCallThatTheKernelContinuesIsTheSame() throws {
    let sleep = try call("nanosleep", arguments)
    let continued = try call("restart_syscall", arguments)
    #expect(sleep.mayContinue(sleep))
    #expect(continued.mayContinue(sleep))
    #expect(!sleep.mayContinue(continued))
    #expect(!(try call("poll", arguments).mayContinue(sleep)))
    #expect(!(try call("restart_syscall", arguments + "0").mayContinue(sleep)))
  }

  #if arch(x86_64)
  /// Else a sleep that began right before a stop seemed to be a wait in restart_syscall.
  @Test func aStopKnowsTheCallThatTheKernelContinues() throws {
    var registers = lo_registers()
    registers.program_counter = 0x7f0001
    withUnsafeMutableBytes(of: &registers.numbered) { bytes in
      let values = bytes.bindMemory(to: UInt64.self)
      (values[0], values[1], values[7], values[10]) = (UInt64(bitPattern: -516), 0x7ffd10, 0x7ffd00, 0x7ffd20)
    }
    let sleep = try call("clock_nanosleep", arguments)
    registers.call = Int64(try #require(sleep.number))
    #expect(CurrentCall(continuedBy: registers) == sleep)
    #expect(try call("restart_syscall", arguments).mayContinue(sleep))
    // The call has ended, or there was none.
    withUnsafeMutableBytes(of: &registers.numbered) { $0.bindMemory(to: UInt64.self)[0] = 0 }
    #expect(CurrentCall(continuedBy: registers) == nil)
    registers.call = -1
    #expect(CurrentCall(continuedBy: registers) == nil)
  }
  #endif

  @Test func itsFields() throws {
    let call = CurrentCall(text: "7 0x1 0x2 0x3 0x4 0x5 0x6 0x10 0x20")
    #expect(call.number == 7)
    #expect(call.values == [1, 2, 3, 4, 5, 6, 16, 32])
    let fault = CurrentCall(text: "-1 0x10 0x20")
    #expect(fault.number == -1 && fault.values == [16, 32])
    #expect(CurrentCall(text: "garbage").number == nil)
    #expect(CurrentCall.running.isRunning && !call.isRunning)
  }

  /// This thread is in the call that reads.
  @Test func aThreadInACall() throws {
    let file = open("/proc/thread-self/syscall", O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    let number = try #require(CurrentCall.read(file)?.number)
    #expect(WaitProbe.systemCallName(number) == "pread64")
  }
}
