// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport
import Testing

/// What tests of findings about waits have in common: a program without the library, of which stacks are known.
protocol WaitingSuite {}

extension WaitingSuite {
  typealias Frame = SampleLaunch.Frame

  var millisecond: Int64 { 1_000_000 }
  /// From the start of the process into `main`.
  var entry: [SampleLaunch.Frame] {
    [Frame("_start"), Frame("__libc_start_main@GLIBC_2.34", image: "/usr/lib/libc.so.6"), Frame("main")]
  }
  var sleep: [SampleLaunch.Frame] {
    ["usleep", "nanosleep", "clock_nanosleep@@GLIBC_2.17"].map { Frame($0, image: "/usr/lib/libc.so.6") }
  }

  func finding(_ id: String, _ launch: SampleLaunch) throws -> Finding {
    let findings = LaunchTimeline(trace: launch.trace()).findings
    return try #require(findings.first { $0.id == id }, "\(findings)")
  }

  func launch() -> SampleLaunch { SampleLaunch(exit: 100_000_000, isInstrumented: false) }
}
