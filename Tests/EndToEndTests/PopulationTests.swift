// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Every command labels and keeps launches that are unlike the others, and leaves them out of its statistics.
final class PopulationTests: CommandSuite {
  private func record(_ name: String, _ arguments: [String] = ["scenes"], adding: [String: String] = [:]) throws {
    let neutral = [
      "CI": "", "GITHUB_ACTIONS": "", "INVOCATION_ID": "", "XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": "",
    ]
    let (run, _) = try launchprof.record(
      [Launchprof.lifecycle] + arguments, adding: neutral.merging(adding) { $1 }, to: name)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
  }

  /// Three launches that are alike, and one of each kind that is not.
  private func recordAll(_ directory: String) throws {
    let made = try TestProcess.run("/bin/mkdir", ["-p", launchprof.directory.appending(directory + "/setup")])
    #expect(made.succeeded)
    for number in 1...3 { try record("\(directory)/\(number).pftrace") }
    try record("\(directory)/4-prewarmed.pftrace", adding: ["ActivePrewarm": "1"])
    try record("\(directory)/5-background.pftrace", ["scenes", "--gapplication-service"])
    try record(
      "\(directory)/6-first.pftrace", ["setup"],
      adding: ["LIFECYCLE_SETUP": launchprof.directory.appending(directory + "/setup")])
    try record("\(directory)/7-suspended.pftrace")
    try suspend(launchprof.directory.appending("\(directory)/7-suspended.pftrace"))
  }

  /// Appends to a trace that the machine slept for a second after the launch began: until then, BOOTTIME was not so far ahead
  /// of MONOTONIC.
  private func suspend(_ path: String) throws {
    let snapshot = try #require(try TraceReader().read(path: path).clockSnapshots.first)
    let monotonic = try #require(snapshot.monotonic)
    let boottime = try #require(snapshot.boottime)
    func varint(_ value: UInt64) -> [UInt8] {
      value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f | 0x80)] + varint(value >> 7)
    }
    func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
      varint(field << 3 | 2) + varint(UInt64(content.count)) + content
    }
    func clock(_ id: UInt64, _ time: UInt64) -> [UInt8] { message(1, [8] + varint(id) + [16] + varint(time)) }
    // ClockSnapshot{clocks}, in a sequence of its own. TracePacket.trusted_packet_sequence_id is field 10.
    let clocks = clock(3, UInt64(monotonic) - 1_000) + clock(6, UInt64(boottime) - 1_000_001_000)
    let packet = message(1, [80] + varint(77) + message(6, clocks))
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    #expect(write(file, packet, packet.count) == packet.count)
  }

  private static let populations = ["prewarmed", "background", "first", "suspended"]

  @Test func reportCountsThemApart() throws {
    try recordAll("launches")
    let text = try launchprof.run(["report", "--full", "launches"]).text
    #expect(text.contains("7 launches") && text.contains("3 counted"), "\(text)")
    for population in Self.populations { #expect(text.contains("left out: 1 \(population) (launch "), "\(text)") }
    let json = try launchprof.run(["report", "launches", "--format", "json"]).text
    let markdown = try launchprof.run(["report", "launches", "--format", "markdown"]).text
    for population in Self.populations {
      #expect(json.contains("\"\(population)\": 1"), "\(json)")
      #expect(markdown.contains("1 \(population)"), "\(markdown)")
    }
    // All launches are in the rows.
    let rows = try launchprof.run(["report", "launches", "--format", "csv", "--rows", "phases"]).text
    #expect(rows.contains("prewarming") && rows.contains("backgroundLaunch"))
  }

  @Test func compareAndGateLeaveThemOut() throws {
    for directory in ["base", "head"] { try recordAll(directory) }
    try launchprof.directory.write("gate:\n  budgets:\n    total: {p50: 30s}\n", to: "launch-budgets.yml")
    for command in [["compare", "base", "head"], ["gate", "--baseline", "base", "head"]] {
      let run = try launchprof.run(command)
      for population in Self.populations {
        #expect(run.text.contains("left out: 2 \(population)"), "\(command): \(run.text)\(run.errorText)")
      }
      #expect(run.text.contains("\n3 launches against 3 "), "\(command): \(run.text)")
    }
    let alone = try launchprof.run(["gate", "head"])
    #expect(alone.text.contains("\n3 launches counted"), "\(alone.text)")
    for population in Self.populations { #expect(alone.text.contains("left out: 1 \(population)"), "\(alone.text)") }
  }

  /// A side of another population cannot be compared with this one.
  @Test func otherPopulationsAreIncomparable() throws {
    for directory in ["base", "head"] {
      #expect(try TestProcess.run("/bin/mkdir", [launchprof.directory.appending(directory)]).succeeded)
    }
    for number in 1...2 {
      try record("base/\(number).pftrace")
      try record("head/\(number).pftrace", adding: ["ActivePrewarm": "1"])
    }
    let run = try launchprof.run(["compare", "base", "head"])
    #expect(run.outcome == .exited(5), "\(run.text)")
    #expect(run.text.contains("context") && run.text.contains("prewarming"), "\(run.text)")
  }

  /// Launches of one kind may be all that there is, and one launch of another kind may hide them.
  @Test func resultsSayWhichKindOfLaunchesCount() throws {
    #expect(try TestProcess.run("/bin/mkdir", [launchprof.directory.appending("units")]).succeeded)
    for number in 1...2 { try record("units/\(number).pftrace", ["scenes", "--gapplication-service"]) }
    try launchprof.directory.write("gate:\n  budgets:\n    total: {p50: 30s}\n", to: "launch-budgets.yml")
    func text(_ arguments: [String]) throws -> String {
      let run = try launchprof.run(arguments)
      return run.text + run.errorText
    }
    #expect(try text(["report", "units"]).contains(", 2 background launches\n"))
    #expect(
      try text(["report", "units", "--format", "json"]).contains("\"counted\": 2,\n    \"kind\": \"background\","))
    #expect(try text(["gate", "units"]).contains("\n2 background launches counted\n"))
    #expect(try text(["compare", "units", "units"]).contains("\n2 background launches against 2"))
    _ = try text(["history", "add", "--commit", "a1", "units"])
    _ = try text(["history", "baseline", "set", "main", "--commit", "a1"])
    for verb in ["list", "plot"] {
      #expect(try text(["history", verb]).contains(", default, background launches\n"), "\(verb)")
    }
    try record("usual.pftrace")
    _ = try text(["history", "add", "--commit", "b2", "usual.pftrace"])
    let list = try text(["history", "list"])
    #expect(list.contains(", default\n") && list.contains("  a1  no launch counts: 2 background  (main)\n"), "\(list)")
    let changes = try text(["history", "changes"])
    #expect(changes.contains("Left out: 2 background; 1 commit has no launch that counts. Add such"), "\(changes)")
  }
}
