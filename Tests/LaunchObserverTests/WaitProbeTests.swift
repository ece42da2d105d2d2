// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchObserver

struct WaitProbeTests {
  /// Every system call number in this machine's kernel headers has the name that the headers give it.
  @Test func everySystemCallHasItsName() throws {
    let directory = try TemporaryDirectory()
    let source = try directory.write("#include <asm/unistd.h>\n", to: "calls.c")
    let run = try TestProcess.run("/usr/bin/gcc", ["-E", "-dM", source])
    #expect(run.succeeded, "\(run.errorText)")
    let calls = run.text.split(separator: "\n").compactMap { line -> (name: String, number: Int)? in
      let words = line.split(separator: " ")
      guard words.count == 3, words[1].hasPrefix("__NR_"), let number = Int(words[2]) else { return nil }
      return (String(words[1].dropFirst(5)), number)
    }
    #expect(calls.count > 250)
    for call in calls where !["syscalls", "arch_specific_syscall"].contains(call.name) {
      #expect(WaitProbe.systemCallName(call.number) == call.name)
    }
    #expect(WaitProbe.systemCallName(-1) == "system call -1")
    #expect(WaitProbe.systemCallName(.max) == "system call \(Int.max)")
  }
}
