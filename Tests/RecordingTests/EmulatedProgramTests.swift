// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport
import Testing

/// A program for the other of x86-64 and arm64, which an emulator runs.
struct EmulatedProgramTests {
  /// The launcher says how fast the cycle counter of this machine runs. The program has another counter.
  @Test func itsTimesAreThoseOfItsOwnCounter() throws {
    let launchprof = try Launchprof()
    let command = [try BuiltProgram.crossRecorder("run"), try BuiltProgram.crossRecorder("dynamic"), "1", "10"]
    let (run, path) = try launchprof.record(command)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let trace = try TraceReader().read(path: path)
    let initializers = trace.slices.category.indices.filter {
      trace.strings[StringID(rawValue: trace.slices.category[$0])] == "launchprof.initializer"
    }
    // One of them sleeps for 20 ms.
    #expect(initializers.contains { trace.slices.duration[$0] >= 19_500_000 })
  }
}
