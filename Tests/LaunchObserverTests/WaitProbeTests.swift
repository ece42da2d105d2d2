// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct WaitProbeTests {
  /// Every system call number in this machine's kernel headers has the name that the headers give it.
  @Test func everySystemCallHasItsName() throws {
    let calls = try systemCalls(of: "unistd.h")
    #expect(calls.count > 250)
    for call in calls where !["syscalls", "arch_specific_syscall"].contains(call.name) {
      #expect(WaitProbe.systemCallName(call.number) == call.name)
    }
    #expect(WaitProbe.systemCallName(-1) == "system call -1")
    #expect(WaitProbe.systemCallName(.max) == "system call \(Int.max)")
  }

  #if arch(x86_64)
  /// The names differ where a newer call has the same arguments.
  @Test func callsOf32BitsAreThoseOfTheSameName() throws {
    let same = [
      "waitpid": "wait4", "_newselect": "select", "clock_nanosleep_time64": "clock_nanosleep",
      "pselect6_time64": "pselect6", "ppoll_time64": "ppoll", "rt_sigtimedwait_time64": "rt_sigtimedwait",
      "futex_time64": "futex",
    ]
    let calls = try systemCalls(of: "unistd_32.h")
    let known = calls.filter { lo_system_call_of_32_bits($0.number) >= 0 }
    #expect(known.count == 42)
    for call in known {
      let name = WaitProbe.systemCallName(lo_system_call_of_32_bits(call.number))
      #expect(name == same[call.name] ?? call.name)
    }
    #expect(lo_system_call_of_32_bits(-1) == -1 && lo_system_call_of_32_bits(36) == -1)
  }
  #endif

  /// A stop interrupts a sleep that no look has seen. The kernel continues it under another name. The last look saw another wait.
  @Test func aSleepThatAStopInterruptsKeepsItsName() throws {
    let program = try RunningProcess.start("/bin/sh", ["-c", "read line; echo; exec sleep 60"])
    defer { program.signal(SIGKILL) }
    let file = CurrentCall.open(program.processID, of: program.processID)
    defer { close(file) }
    func place(in call: String) throws -> CurrentCall {
      var place = CurrentCall.running
      try waitUntil("the program is in \(call)") {
        place = try #require(CurrentCall.read(file))
        return place.number.map(WaitProbe.systemCallName) == call
      }
      return place
    }
    var probe = WaitProbe(processID: program.processID, start: Int64(lo_now()), readsTimes: false)
    defer { probe.end() }
    _ = try place(in: "read")
    probe.look(at: Int64(lo_now()), hasWaited: true)
    _ = program.ask(Array("\n".utf8), timeout: 60)
    let sleep = try place(in: "clock_nanosleep")
    try program.stop()
    program.signal(SIGCONT)
    _ = try place(in: "restart_syscall")
    probe.interrupted(sleep)
    probe.look(at: Int64(lo_now()), hasWaited: true)
    #expect(probe.findings.map(\.systemCall) == ["read", "clock_nanosleep"])
  }

  /// `select(0, 0, 0, 0, &time)` and `poll(0, 0, 40)` sleep. Without a timeout, they wait for a signal.
  @Test func aCallWithoutDescriptorsWaitsForATime() {
    #expect(WaitProbe.isTimeout("poll", [0, 0, 40, 0, 0, 0]))
    #expect(!WaitProbe.isTimeout("poll", [0, 0, UInt64(UInt32.max), 0, 0, 0]))
    #expect(!WaitProbe.isTimeout("poll", [4096, 1, 40, 0, 0, 0]))
    #expect(WaitProbe.isTimeout("ppoll", [0, 0, 4096, 0, 0, 0]) && !WaitProbe.isTimeout("ppoll", [0, 0, 0, 0, 0, 0]))
    #expect(WaitProbe.isTimeout("pselect6", [8, 0, 0, 0, 4096, 0]))
    #expect(
      !WaitProbe.isTimeout("select", [8, 4096, 0, 0, 4096, 0]) && !WaitProbe.isTimeout("select", [0, 0, 0, 0, 0, 0]))
    #expect(!WaitProbe.isTimeout("read", [0, 0, 40, 0, 0, 0]) && !WaitProbe.isTimeout("poll", []))
  }

  private func systemCalls(of header: String) throws -> [(name: String, number: Int)] {
    let directory = try TemporaryDirectory()
    let source = try directory.write("#include <asm/\(header)>\n", to: "calls.c")
    let run = try TestProcess.run("/usr/bin/gcc", ["-E", "-dM", source])
    #expect(run.succeeded, "\(run.errorText)")
    return run.text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, words[1].hasPrefix("__NR_"), let number = Int(words[2]) else { return nil }
      return (String(words[1].dropFirst(5)), number)
    }
  }
}
