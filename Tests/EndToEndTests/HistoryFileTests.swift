// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// The file of `launchprof history`.
final class HistoryFileTests: CommandSuite {
  /// Three processes add at once, each a trace of its own after another.
  @Test func severalProcessesLoseNothing() throws {
    try launchprof.recordSeries("a", 24, ["true"])
    let script = """
      traces=(a/*.pftrace)
      for writer in 0 1 2; do
        (for i in $(seq $writer 3 23); do
          "$LAUNCHPROF" history add --commit "c$i" "${traces[i]}" 2>&1 || echo "FAILED $i"
        done) &
      done
      wait
      """
    let run = try launchprof.bash(script)
    #expect(run.text.ranges(of: "added 1 of 1 launch for").count == 24 && !run.text.contains("FAILED"), "\(run.text)")
    #expect(try commits().sorted() == (0..<24).map { "c\($0)" }.sorted())
  }

  /// Two processes add, and are killed at any moment: what they said they kept is there, all of it, and the store is whole.
  @Test func aCrashLosesNothingThatWasAcknowledged() throws {
    try launchprof.recordSeries("a", 48, ["true"])
    let script = """
      traces=(a/*.pftrace)
      for writer in 0 1; do
        (for i in $(seq $writer 2 23); do
          began=${EPOCHREALTIME/[.,]/}
          "$LAUNCHPROF" history add --commit "c$i" "${traces[i * 2]}" "${traces[i * 2 + 1]}" > "said$i" 2>&1 &
          pid=$!
          if [ $((i % 6)) -ge 2 ]; then
            # At any moment of such a call, or shortly after it.
            delay=$((RANDOM * took / 26000))
            sleep "$((delay / 1000000)).$(printf %06d $((delay % 1000000)))"
            kill -9 $pid 2>/dev/null
            wait $pid 2>/dev/null
          else
            wait $pid
            took=$((${EPOCHREALTIME/[.,]/} - began))
          fi
        done) &
      done
      wait
      grep -l "added 2 of 2 launches" said*
      """
    let run = try launchprof.bash(script)
    let acknowledged = Set(run.text.split(separator: "\n").map { "c" + $0.dropFirst("said".count) })
    for i in [0, 1, 6, 7, 12, 13, 18, 19] { #expect(acknowledged.contains("c\(i)"), "nobody kills \(i): \(run.text)") }
    #expect(acknowledged.count < 24, "no call was killed before its end")
    let kept = Dictionary(grouping: try commits()) { $0 }.mapValues(\.count)
    #expect(acknowledged.isSubset(of: kept.keys), "\(acknowledged.subtracting(kept.keys)) of \(acknowledged.count)")
    // All of a call or nothing.
    #expect(kept.values.allSatisfy { $0 == 2 }, "\(kept)")
    // And it goes on.
    try launchprof.history(["add", "--commit", "last", "a"])
    #expect(try commits().count == 48)
  }

  /// The commit of each launch of the export.
  private func commits() throws -> [String] {
    let rows = try launchprof.history(["export"]).text.split(separator: "\r\n").dropFirst()
    let fields = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    return Array(Dictionary(fields.map { ($0[0], $0[2]) }) { first, _ in first }.values)
  }

  /// What a newer version has written is left alone, and named.
  @Test func aNewerStoreIsRefused() throws {
    try launchprof.recordSeries("a", 2, ["true"])
    try launchprof.history(["add", "--commit", "aaaa1111", "a"])
    let change = """
      import sqlite3
      store = sqlite3.connect(".launchprof/history.sqlite")
      store.execute("INSERT INTO grdb_migrations VALUES ('77')")
      store.commit()
      """
    let python = try TestProcess.run(
      try Tools.python(), ["-c", change], directory: launchprof.directory.path)
    #expect(python.succeeded, "\(python.errorText)")
    for arguments in [["list"], ["add", "--commit", "b", "a"], ["plot"], ["export"], ["baseline", "get"]] {
      let run = try launchprof.history(arguments, status: 1)
      #expect(
        run.errorText.contains("history.sqlite: was written by a newer launchprof; update launchprof"),
        "\(run.errorText)")
    }
    let gate = try launchprof.run(["gate", "--baseline", "aaaa", "a"])
    #expect(gate.outcome == .exited(5) && gate.text.contains("newer launchprof"), "\(gate.text)\(gate.errorText)")
  }

  /// To SQLite, it is a database in memory.
  @Test func aStoreMayHaveAnyName() throws {
    try launchprof.recordSeries("a", 1, ["true"])
    try launchprof.history(["add", "--commit", "kept", "--store", ":memory:", "a"])
    #expect(try launchprof.history(["list", "--store", ":memory:"]).text.contains("kept"))
  }

  /// Also by another name.
  @Test func theHistoryIsNotWrittenOver() throws {
    try launchprof.recordSeries("a", 1, ["true"])
    try launchprof.history(["add", "--commit", "kept", "--store", "h.json", "a"])
    symlink("h.json", launchprof.directory.appending("link.html"))
    let before = try contents(launchprof.directory.appending("h.json"))
    for arguments in [["export", "-o", "./h.json"], ["plot", "-o", "link.html"]] {
      let run = try launchprof.history(arguments + ["--store", "h.json"], status: 1)
      #expect(run.errorText.contains("h.json: is the history to read"), "\(run.errorText)")
      #expect(try contents(launchprof.directory.appending("h.json")) == before)
    }
  }
}
