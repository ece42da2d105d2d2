// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// One-time set-up and the state's file, when processes race or are killed.
struct SetupTests {
  private func start(_ directory: TemporaryDirectory, milliseconds: Int) throws -> RunningProcess {
    try RunningProcess.start(
      Launchprof.lifecycle, ["setup"],
      adding: ["LIFECYCLE_SETUP": directory.path, "LIFECYCLE_SETUP_MS": "\(milliseconds)"])
  }

  private func log(_ directory: TemporaryDirectory) -> [String] {
    let text = (try? contents(directory.appending("log"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  private func wait(for count: Int, in directory: TemporaryDirectory) throws {
    for _ in 0..<18_000 {
      if log(directory).count >= count { return }
      usleep(10_000)
    }
    throw ToolFailure("the set-up never began: \(log(directory))")
  }

  @Test func ofTwoProcessesAtOnceOneDoesTheWork() throws {
    for round in 0..<20 {
      let directory = try TemporaryDirectory()
      let racers = try (0..<2).map { _ in try start(directory, milliseconds: 10) }
      let ends = try racers.map { try $0.finish() }
      #expect(ends.allSatisfy { $0.outcome == .exited(0) })
      let answers = ends.map { $0.text.contains("setup: true") }
      #expect(answers.count(where: \.self) == 1, "round \(round): \(ends.map(\.text))")
      #expect(ends.count { $0.text.contains("setup: false") } == 1)
      // The process that waited continued only after the work was done.
      let winner = racers[answers[0] ? 0 : 1].processID
      #expect(log(directory) == ["begin \(winner)", "end \(winner)"], "round \(round)")
    }
  }

  /// It waited for its own lock for ever, and with it every later launch.
  @Test func theWorkMayRunOtherSetUpsOnly() throws {
    for (inner, answer) in [("work", "setup: the work of the one-time set-up 'work' runs "), ("other", "setup: true")] {
      let directory = try TemporaryDirectory()
      let run = try TestProcess.run(
        Launchprof.lifecycle, ["setup"],
        adding: ["LIFECYCLE_SETUP": directory.path, "LIFECYCLE_SETUP_INNER": inner])
      #expect(run.outcome == .exited(0))
      #expect(run.text.contains(answer), "\(run.text)")
    }
  }

  @Test func aSetUpThatWasKilledMidwayIsDoneAgainAndReported() throws {
    let launchprof = try Launchprof()
    let directory = launchprof.directory
    let killed = try start(directory, milliseconds: 60_000)
    try wait(for: 1, in: directory)
    // A second process waits for the lock. It takes over.
    let waiting = try start(directory, milliseconds: 60_000)
    killed.signal(SIGKILL)
    _ = try killed.finish()
    try wait(for: 2, in: directory)
    waiting.signal(SIGKILL)
    _ = try waiting.finish()

    func launch(_ name: String) throws -> (text: String, report: JSONReport) {
      let (run, trace) = try launchprof.record(
        [Launchprof.lifecycle, "setup"], adding: ["LIFECYCLE_SETUP": directory.path], to: name)
      #expect(run.outcome == .exited(0), "\(run.errorText)")
      return (run.text, try JSONReport(launchprof, trace))
    }
    let (text, report) = try launch("again.pftrace")
    #expect(text.contains("setup: true"))
    #expect(report.kind == "first")
    #expect(report.otherLabels["one-time-setup"] == "work: interrupted in an earlier launch, done again")
    #expect(
      try launchprof.run(["report", "again.pftrace"]).text.contains(
        "one-time set-up work: interrupted in an earlier launch"))
    #expect(log(directory).map { $0.split(separator: " ")[0] } == ["begin", "begin", "begin", "end"])
    let (later, after) = try launch("later.pftrace")
    #expect(later.contains("setup: false"))
    #expect(after.kind == nil && after.otherLabels["one-time-setup"] == nil)
  }

  /// A program that is killed while it saves a state of 200 KB leaves the old or the new state, complete.
  @Test func stateIsTheOldOrTheNewOneWheneverTheProgramIsKilled() throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("state")
    for round in 0..<20 {
      let before = try? contents(file)
      let saving = try RunningProcess.start(
        Launchprof.lifecycle, ["saving"], adding: ["LIFECYCLE_STATE": file, "SWIFT_BACKTRACE": "enable=no"])
      for _ in 0..<6_000 {
        // A reader finds a complete file even during a write.
        let now = try? contents(file)
        if let now, now != before { break }
        usleep(10_000)
      }
      usleep(.random(in: 0...20_000))
      saving.signal(SIGKILL)
      let end = try saving.finish()
      let saved = end.text.split(separator: "\n").filter { $0.hasPrefix("saved ") }.compactMap { Int($0.dropFirst(6)) }

      let next = try TestProcess.run(Launchprof.lifecycle, ["scenes"], adding: ["LIFECYCLE_STATE": file])
      let restored = next.text.split(separator: "\n").first { $0.hasPrefix("state: decode ") }
      let number = try #require(restored.flatMap { Int($0.dropFirst("state: decode ".count)) }, "\(next.text)")
      // The program prints the line after it wrote the file.
      if let last = saved.last { #expect([last, last + 1].contains(number), "round \(round): \(number) of \(last)") }
      #expect(!next.text.contains("set aside"), "\(next.text)")
    }
    // No unfinished file is left over.
    #expect(try directory.contents() == ["state", "state.lock"])
  }
}
