// SPDX-License-Identifier: Apache-2.0

import Foundation
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

  /// Of the main actor's work on other threads, `--main-thread` left out what is around it.
  @Test func parentsOfTheMainActorsWorkAreThere() throws {
    var (launch, worker) = SampleLaunch.mainActorElsewhere()
    launch.interval("turn", from: 19_000_000, to: 61_000_000, on: worker)
    launch.interval("other", from: 70_000_000, to: 71_000_000, on: worker)
    var options = ReportOptions()
    options.mainThreadOnly = true
    let text = ReportFormat.json.string(LaunchSet([LaunchTimeline(trace: launch.trace())]), options: options)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let nodes = try #require((report["launches"] as? [[String: Any]])?.first?["flame"] as? [[String: Any]])
    let ids = Set(nodes.compactMap { $0["id"] as? Int })
    #expect(nodes.allSatisfy { ids.contains($0["parent"] as? Int ?? $0["id"] as? Int ?? -1) })
    let names = nodes.compactMap { $0["name"] as? String }
    #expect(names.contains("turn") && names.contains("scene-connect") && !names.contains("other"), "\(names)")
  }
}
