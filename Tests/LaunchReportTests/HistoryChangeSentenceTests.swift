// SPDX-License-Identifier: Apache-2.0

import LaunchReport
import TestSupport
import Testing

@testable import LaunchAnalysis

struct HistoryChangeSentenceTests {
  /// Twelve commits of twelve launches. From the seventh on, the CPU time is 45 % longer. Other work delays each launch by
  /// up to 30 ms.
  private func series(seed: UInt64) -> HistorySeries {
    var random = SeededGenerator("HistoryChangeSentenceTests", seed: seed)
    var rows: [HistoryRow] = []
    for place in 0..<144 {
      let commit = place / 12
      let cpu = (commit < 6 ? 1e7 : 1.45e7) * Double.random(in: 0.99...1.01, using: &random)
      let total = cpu + Double.random(in: 0...3e7, using: &random)
      let measurement = LaunchAnalysis.Measurement(
        name: "", leftOut: nil, provenance: Provenance(round: place + 1), endMilestone: "exit",
        values: [.total: total, .cpu: cpu], flame: [:], isCPUOfLaunch: true)
      rows.append(
        HistoryRow(
          id: Int64(place), added: Int64(commit), key: HistoryKey(program: "p", machine: "m", configuration: "c"),
          commit: "commit-\(commit)", measurement: measurement))
    }
    return HistorySeries(.total, of: rows)
  }

  /// The wall times are what the machine made of it: +210 % for 45 % more work.
  @Test func whatTheCPUTimeShowsHasItsNumbers() throws {
    let found = (1...20).lazy.map { self.series(seed: UInt64($0)) }.first { series in
      let changes = series.changes(least: 0.02)
      return changes.count == 1 && changes[0].cpu != nil
    }
    let series = try #require(found)
    let changes = series.changes(least: 0.02)
    let cpu = try #require(changes[0].cpu)
    #expect(abs(cpu.relative - 0.45) < 0.02)
    let text = HistoryChangeSentence(changes[0], of: series).text
    #expect(text.contains(", by the CPU time: cpu +4") && text.contains(" (10.0"), "\(text)")
    // The change is as large as the CPU time says, whatever the wall time says.
    let least = max(0.3, abs(changes[0].relative) + 0.01)
    if least < 0.43 { #expect(series.changes(least: least).count == 1) }
  }

  /// Names that are no ids were cut to the same text.
  @Test func namesOfPossibleCommitsDiffer() {
    let rows = (0..<4).map { place in
      HistoryRow(
        id: Int64(place), added: Int64(place), key: HistoryKey(program: "p", machine: "m", configuration: "c"),
        commit: "release-candidate-\(place)",
        measurement: LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: Provenance(round: place + 1), endMilestone: "exit", values: [.total: 1e7],
          flame: [:], isCPUOfLaunch: true))
    }
    let change = HistorySeries.Change(
      place: 1, places: 1...2, probabilities: [0.75, 0.25], levels: .init(before: 100, after: 125))
    let text = HistoryChangeSentence(change, of: HistorySeries(.total, of: rows)).text
    #expect(text.hasSuffix(": one of 2 commits, release-candidate-1 75 %, release-candidate-2 25 %"), "\(text)")
  }

  /// A push of five commits launches only the last one.
  @Test func commitsThatWereNeverLaunchedMayHaveMadeTheChange() {
    let rows = (0..<2).map { place in
      HistoryRow(
        id: Int64(place), added: Int64(place), key: HistoryKey(program: "p", machine: "m", configuration: "c"),
        commit: "commit-\(place)",
        measurement: LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: Provenance(round: place + 1), endMilestone: "exit", values: [.total: 1e7],
          flame: [:], isCPUOfLaunch: true))
    }
    let change = HistorySeries.Change(
      place: 1, places: 1...1, probabilities: [1], levels: .init(before: 100, after: 125))
    func text(_ commits: Int?) -> String {
      HistoryChangeSentence(change, of: HistorySeries(.total, of: rows), commits: commits).text
    }
    #expect(text(5).hasPrefix("between commit-0 and commit-1  total +25"), "\(text(5))")
    #expect(text(5).contains("one of 5 commits, of which only the last was launched; launchprof bisect"), "\(text(5))")
    for commits in [1, nil] { #expect(text(commits).hasPrefix("commit-1  total +25")) }
  }

  /// The machine of the jobs got a new kernel, and with it the launches got slower. The commit is not the reason.
  @Test(arguments: [(6, "; the kernel changed there, too: 6.8 -> 6.11"), (3, ""), (9, ""), (12, "")])
  func anUpdateOfTheMachineIsNamed(updated: Int, end: String) throws {
    var random = SeededGenerator("anUpdateOfTheMachineIsNamed", seed: 1)
    let rows = (0..<144).map { place in
      let commit = place / 12
      var provenance = Provenance(round: place + 1)
      // A pool of runners with two processors.
      provenance.fields = [.kernel: commit < updated ? "6.8" : "6.11", .processor: "processor \(place % 2)"]
      let total = (commit < 6 ? 1e7 : 1.2e7) * Double.random(in: 0.99...1.01, using: &random)
      return HistoryRow(
        id: Int64(place), added: Int64(commit), key: HistoryKey(program: "p", machine: "m", configuration: "c"),
        commit: "commit-\(commit)",
        measurement: LaunchAnalysis.Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit", values: [.total: total], flame: [:],
          isCPUOfLaunch: true))
    }
    let series = HistorySeries(.total, of: rows)
    let changes = series.changes(least: 0.02)
    try #require(changes.count == 1)
    let text = HistoryChangeSentence(changes[0], of: series).text
    #expect(text.hasPrefix("commit-6  total +20.") && text.hasSuffix(" ms)" + end), "\(text)")
    let sink = MemorySink()
    try HistoryPage(series, changes: changes).write(to: sink)
    #expect(String(decoding: sink.bytes, as: UTF8.self).contains("the kernel changed there, too") == !end.isEmpty)
  }
}
