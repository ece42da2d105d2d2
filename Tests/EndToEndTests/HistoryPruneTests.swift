// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `launchprof history prune`.
struct HistoryPruneTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  @discardableResult
  private func history(_ arguments: [String], status: Int32 = 0) throws -> String {
    let run = try launchprof.history(arguments, status: status)
    return run.text + run.errorText
  }

  private func commits() throws -> [String] {
    try history(["list"]).split(separator: "\n").filter { $0.hasPrefix("  ") }.map {
      String($0.split(separator: " ")[0])
    }
  }

  @Test func theLatestCommitsAndBaselinesStay() throws {
    for number in 1...5 {
      try launchprof.recordSeries("\(number)", 2, ["true"])
      try history(["add", "--commit", "c\(number)", "\(number)"])
    }
    // Another series, whose only commit is an old one.
    _ = try launchprof.record(["sleep", "0"])
    try history(["add", "--commit", "c1", "trace.pftrace"])
    try history(["baseline", "set", "release", "--commit", "c2"])
    let message = try history(["prune", "--keep", "2"])
    #expect(message.contains("removed 4 of 11 launches, of 2 commits"), "\(message)")
    #expect(try commits() == ["c2", "c4", "c5", "c1"])
    #expect(try history(["prune", "--keep", "2"]).contains("removed 0 of 7 launches"))
    try history(["prune", "--keep", "0"], status: 64)
    try history(["prune"], status: 64)
    // What was removed may be added again.
    #expect(try history(["add", "--commit", "c3", "3"]).contains("added 2 of 2"))
  }
}
