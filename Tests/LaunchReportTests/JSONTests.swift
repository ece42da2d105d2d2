// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchReport
import TestSupport
import Testing

struct JSONTests {
  /// Linux cannot always tell the program's peak memory from the launcher's. Then it is unknown, and must not be 0.
  @Test(arguments: [nil, 1_048_576] as [UInt64?]) func unknownMemoryIsNotNone(bytes: UInt64?) {
    var launch = SampleLaunch()
    launch.interval("work", from: 0, to: 1_000_000)
    launch.launcher(exit: 2_000_000, maxResidentBytes: bytes)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    let json = ReportFormat.json.string(set)
    #expect(json.contains("\"userCPU\": 389100000"))
    #expect(json.contains("maxResidentBytes") == (bytes != nil))
    #expect(json.contains("\"maxResidentBytes\": 1048576") == (bytes != nil))
    #expect(ReportFormat.text.string(set).contains("MiB memory") == (bytes != nil))
  }
}
