// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport

/// The findings of launches, from `launchprof report --findings --format json`.
struct FoundReport: Decodable {
  struct Piece: Decodable {
    var kind: String
    var text: String
    var time: Int64?
  }

  struct Found: Decodable {
    var id: String
    var unit: String
    var expected: Int64
    var actual: Int64
    var subject: String
    var path: [String]
    var start: Int64
    var phase: String?
    var occurrences: Int
    var advice: String
    var error: Int64?
    var file: String?
    var line: Int?
    var evidence: [Piece]?

    func piece(_ kind: String, where holds: (Piece) -> Bool = { _ in true }) -> Piece? {
      evidence?.first { $0.kind == kind && holds($0) }
    }
  }

  struct Launch: Decodable {
    var file: String?
    var total: Int64
    var findings: [Found]

    func finding(_ id: String) -> Found? { findings.first { $0.id == id } }

    /// Findings that a loaded machine causes in any program.
    private static let machine: Set<String> = ["main-thread-runnable", "cpu-contention"]

    /// True if other programs kept the main thread off its processor for long.
    var isDisturbed: Bool { findings.contains { Self.machine.contains($0.id) } }

    /// Ids of the findings, without those that a loaded machine causes, and without one of each expected id.
    func ids(except expected: [String] = []) -> [String] {
      findings.map(\.id).filter { !Self.machine.contains($0) && !expected.contains($0) }
    }
  }

  var launches: [Launch]

  init(_ launchprof: Launchprof, _ trace: String) throws {
    let run = try launchprof.run(["report", trace, "--findings", "--format", "json"])
    guard run.succeeded else { throw ToolFailure("report \(trace): \(run.errorText)") }
    self = try JSONDecoder().decode(Self.self, from: Data(run.output))
  }
}
