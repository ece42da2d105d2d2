// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// `launchprof history prune`.
final class HistoryPruneTests: CommandSuite {
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
    #expect(message.contains("removed 4 of 11 launches, of 2 commits; the history has 2 series"), "\(message)")
    #expect(try commits() == ["c2", "c4", "c5", "c1"])
    #expect(try history(["prune", "--keep", "2"]).contains("removed 0 of 7 launches"))
    try history(["prune", "--keep", "0"], status: 64)
    try history(["prune"], status: 64)
    // What was removed may be added again.
    #expect(try history(["add", "--commit", "c3", "3"]).contains("added 2 of 2"))
    // One is not many.
    let one = try history(["remove", "--commit", "c1"])
    #expect(one.contains("removed 1 launch of commit c1"), "\(one)")
  }

  /// A wrong configuration stayed a point of the plot, and the message did not say where the launches were.
  @Test func launchesThatWereAddedByMistakeAreRemoved() throws {
    for name in ["a", "b"] { try launchprof.recordSeries(name, 2, ["true"]) }
    try history(["add", "--commit", "c1", "--configuration", "wrong", "a"])
    try history(["add", "--commit", "c2", "b"])
    let again = try history(["add", "--commit", "c1", "--configuration", "right", "a"])
    #expect(again.contains("the others were already there, in the series true on "), "\(again)")
    let way = ", wrong; if that is wrong, launchprof history remove --commit c1 --program true --machine "
    #expect(again.contains(way) && again.contains(" --configuration wrong takes them out"), "\(again)")
    // Of two series, and with words for a shell.
    let store = ["--store", "own.sqlite"]
    for (trace, machine) in [("1.pftrace", "ci 1"), ("2.pftrace", "ci 2")] {
      _ = try launchprof.record(["true"], to: trace)
      try history(["add", "--commit", "c1", "--machine", machine, trace] + store)
    }
    let two = try history(["add", "--commit", "c1", "--machine", "ci", "1.pftrace", "2.pftrace"] + store)
    let commands = ["ci 1", "ci 2"].map {
      "launchprof history remove --commit c1 --program true --machine '\($0)' --configuration default --store own.sqlite"
    }
    #expect(two.contains("; if that is wrong, \(commands.joined(separator: " && ")) takes them out"), "\(two)")
    // Of these two, the launches of c2 may be right.
    let both = try history(["add", "--commit", "c3", "b"])
    let command = "as launches of commit c2; if that is wrong, launchprof history remove --commit c2"
    #expect(both.contains(command), "\(both)")
    try history(["remove", "--commit", "c1", "--configuration", "right"], status: 1)
    try history(["baseline", "set", "main", "--commit", "c2"])
    let refused = try history(["remove", "--commit", "c2"], status: 1)
    #expect(refused.contains("commit c2 is the baseline main"), "\(refused)")
    #expect(refused.contains("before that: launchprof history baseline remove main"), "\(refused)")
    // A shell reads these commands.
    try history(["baseline", "set", "release 1", "--commit", "c2"])
    let copied = ["'release 1'", "main"].map { "launchprof history baseline remove \($0)" }
    let bothNames = try history(["remove", "--commit", "c2"], status: 1)
    #expect(
      copied.allSatisfy(bothNames.contains) && bothNames.contains(" && launchprof history baseline remove "),
      "\(bothNames)")
    let named = try history(["remove", "--commit", "c2", "--store", ".launchprof/history.sqlite"], status: 1)
    #expect(named.contains("remove main --store .launchprof/history.sqlite"), "\(named)")
    try history(["baseline", "remove", "release 1"])
    let removed = try history(["remove", "--commit", "c1", "--configuration", "wrong"])
    #expect(removed.contains("removed 2 launches of commit c1, of the series true on "), "\(removed)")
    #expect(try history(["add", "--commit", "c1", "--configuration", "right", "a"]).contains("added 2 of 2"))
    #expect(try commits() == ["c2", "c1"])
    try history(["remove", "--commit", ""], status: 64)
    // Git does not know the commit, and `history list` prints the beginning of its id.
    let id = "3fa1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3"
    try launchprof.recordSeries("c", 2, ["true"])
    try history(["add", "--commit", id, "c"])
    #expect(try history(["remove", "--commit", "c"], status: 1).contains("no such launches of commit c"))
    #expect(try history(["remove", "--commit", "3fa1b2c3d4e5"]).contains("removed 2 launches of commit \(id)"))
  }
}
