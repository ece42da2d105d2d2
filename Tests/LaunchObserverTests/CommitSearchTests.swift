// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchComparison

extension InProcessLaunchTests {
  /// Searches of a repository of six commits whose programs say how long their launches take: nothing is launched.
  @Suite struct CommitSearchTests {
    /// ms
    private typealias Times = (wall: Double, cpu: Double)

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func times(of program: CommitProgram) throws -> Times {
      let numbers = String(decoding: try contents(program.path), as: UTF8.self).split(separator: " ").compactMap {
        Double($0)
      }
      return (numbers[0], numbers[1])
    }

    private static func launches(_ program: CommitProgram, side: String, rounds: Int) throws -> [Measurement] {
      let times = try times(of: program)
      return (1...rounds).map { round in
        var provenance = Provenance(round: round)
        (provenance.session, provenance.side) = ("live", side)
        let noise = 1e6 * (1 + 0.01 * Double((round * 7 + (side == "base" ? 0 : 3)) % 11) / 11)
        return Measurement(
          name: "", leftOut: nil, provenance: provenance, endMilestone: "exit",
          values: [.total: times.wall * noise, .cpu: times.cpu * noise], flame: [:], isCPUOfLaunch: true)
      }
    }

    /// - Returns: the subject of the commit that was found, what was left of the step, and all that the search told.
    private func search(_ commits: [Times]) throws -> (found: String, rest: [String], told: [String]) {
      try git(["init", "-q"], in: directory.path)
      for (place, times) in commits.enumerated() {
        try directory.write("\(times.wall) \(times.cpu) \(place)", to: "level")
        try git(["add", "level"], in: directory.path)
        try git(["commit", "-q", "-m", "commit \(place)"], in: directory.path)
      }
      var told: [String] = []
      let search = try CommitSearch(
        around: directory.path, build: "cp level app", program: "app", workload: [], metric: nil,
        mostTime: 60_000_000_000,
        compare: { base, head, rounds in
          LaunchComparison(
            base: try Self.launches(base, side: "base", rounds: rounds ?? 20),
            head: try Self.launches(head, side: "head", rounds: rounds ?? 20))
        },
        measure: { try Self.launches($0, side: "head", rounds: 1)[0] }, explain: { _, _ in [] },
        tell: { told.append($0) })
      let outcome = try search.run(good: "HEAD~\(commits.count - 1)", bad: "HEAD")
      guard case .found(let found, let evidence) = outcome else { throw ToolFailure("\(outcome)") }
      return (found.map(\.subject).joined(separator: ", "), evidence.rest, told)
    }

    /// One commit waits for 30 ms, and another one needs 4 ms of CPU time.
    @Test func aWaitIsNotSearchedByCPUTime() throws {
      let result = try search([(20, 20), (20, 20), (50, 20), (50, 20), (54, 24), (54, 24)])
      #expect(result.found == "commit 2", "\(result)")
      #expect(result.told.contains { $0.hasSuffix("by wall time") }, "\(result)")
      // Only a small part is left.
      #expect(result.rest.count == 1 && result.rest[0].contains("so later commits have a part in it"), "\(result)")
    }

    @Test func workIsSearchedByCPUTime() throws {
      let result = try search([(40, 20), (40, 20), (40, 20), (46, 25), (46, 25), (46, 25)])
      #expect(result.found == "commit 3" && result.rest.isEmpty, "\(result)")
      #expect(result.told.contains { $0.hasSuffix("by CPU time") }, "\(result)")
    }

    /// The found commit was undone long ago, and another one made the last commit slow.
    @Test func aLaterCommitThatMadeUpForTheFoundOneIsSaid() throws {
      let slow = [(27.7, 27.7), (27.7, 27.7), (27.7, 27.7)]
      let result = try search([(21.8, 21.8)] + slow + [(21.7, 21.7), (26, 26)])
      #expect(result.found == "commit 1" && result.rest.count == 1, "\(result)")
      #expect(result.rest.allSatisfy { $0.contains("so a later commit made up for it") }, "\(result)")
    }
  }
}
