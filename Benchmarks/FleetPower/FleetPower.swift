// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchFleet
import TestSupport

/// How often `fleet compare` and `fleet changes` raise a false alarm, and how often they find a real change:
/// scripts/bench --only fleet.
///
///     fleet-power [--draws N]          the table of docs/benchmarks.md
///     fleet-power --changes DIR [--draws N]
///                                      the tables of `fleet changes`, from the launches in Benchmarks/Data/gate
///     fleet-power --write N FILE       writes N records
///     fleet-power --read FILE          what a report and a comparison of them take
@main
struct FleetPower {
  static func main() throws {
    let arguments = CommandLine.arguments
    if let place = arguments.firstIndex(of: "--write"), place + 2 < arguments.count,
      let count = Int(arguments[place + 1])
    {
      return try write(count, to: arguments[place + 2])
    }
    if let place = arguments.firstIndex(of: "--read"), place + 1 < arguments.count {
      return try read(arguments[place + 1])
    }
    let draws = arguments.firstIndex(of: "--draws").flatMap { Int(arguments[$0 + 1]) } ?? 500
    if let place = arguments.firstIndex(of: "--changes"), place + 1 < arguments.count {
      var power = try ChangesPower(data: arguments[place + 1], draws: draws)
      power.run()
      if power.isMissed { exit(1) }
      return
    }
    print(
      "| fleet | launches | called regressed | phase and class named | raw p50 beyond 3 % |\n|---|---:|---:|---:|---:|")
    var isMissed = false
    for launches in [2000, 10_000] {
      let same = try Row(draws, launches, "no change") { _ in }
      let mix = try Row(draws, launches, "no change, another mix") { $0.mixShift = 1 }
      isMissed = isMissed || max(same.regressed, mix.regressed) * 100 > draws
    }
    for launches in [2000, 10_000, 40_000] {
      let count = max(1, draws / 5)
      let slower = try Row(count, launches, "+6 % in one phase of one class, another mix") {
        $0.mixShift = 1
        $0.factor = 1.06
      }
      // Smaller fleets often have too few launches to tell.
      if launches == 40_000 { isMissed = isMissed || min(slower.regressed, slower.named) * 100 < 95 * count }
    }
    if isMissed { exit(1) }
  }

  /// CPU time and peak memory so far, after each step. The last step reads again: a comparison needs more columns.
  private static func read(_ path: String) throws {
    func told(_ step: String) {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      let part = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
      print(
        "\(step): \(((seconds + part) * 100).rounded() / 100) s of CPU so far, \(usage.ru_maxrss / 1024) MiB at most")
    }
    var question = FleetQuestion()
    question.labels = .named(["version", "program", "end"])
    do {
      let table = try FleetReader.read([path], question)
      told("\(table.count) launches read")
      _ = try FleetReport(table, by: ["version"], tail: 0.005)
      told("reported by version")
    }
    (question.labels, question.keepsIDs) = (.all, true)
    let table = try FleetReader.read([path], question)
    told("read for a comparison")
    let options = FleetComparisonOptions(base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=2.1"]))
    _ = try FleetComparison(table, options)
    told("compared")
  }

  private static func write(_ count: Int, to path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    var fleet = SyntheticFleet()
    fleet.launches = count
    fleet.days = 20
    fleet.mixShift = 0.5
    fleet.factor = 1.06
    (fleet.changeDay, fleet.dayFactor) = (12, 1.05)
    fleet.hasFaults = true
    var text = ""
    _ = fleet.write { line in
      text += line + "\n"
      if text.utf8.count > 1 << 20 {
        file.write(Data(text.utf8))
        text = ""
      }
    }
    file.write(Data(text.utf8))
  }

  /// Draws of one kind of fleet. Each is printed as soon as it is known.
  private struct Row {
    var (regressed, named) = (0, 0)

    init(_ draws: Int, _ launches: Int, _ name: String, _ change: (inout SyntheticFleet) -> Void) throws {
      var raw = 0
      for draw in 0..<draws {
        var fleet = SyntheticFleet()
        (fleet.launches, fleet.seed) = (launches, UInt64(draw) * 7919 + UInt64(launches))
        change(&fleet)
        let comparison = try Self.compare(fleet)
        if comparison.status == .regressed { regressed += 1 }
        if abs(comparison.total.raw ?? 0) > 0.03 { raw += 1 }
        if let guilt = comparison.guilty.first, guilt.metric == SyntheticFleet.slowPhase,
          guilt.column == "machine", guilt.values == [SyntheticFleet.slowClass]
        {
          named += 1
        }
      }
      func share(_ count: Int) -> String { "\((Double(count) / Double(draws) * 1000).rounded() / 10) %" }
      print("| \(name) | \(launches) | \(share(regressed)) | \(share(named)) | \(share(raw)) |")
    }

    private static func compare(_ fleet: SyntheticFleet) throws -> FleetComparison {
      var question = FleetQuestion()
      (question.labels, question.keepsIDs) = (.all, true)
      var reader = FleetReader(question)
      _ = fleet.write { line in
        var line = line
        line.withUTF8 { reader.read(line: UnsafeRawBufferPointer($0)) }
      }
      let options = FleetComparisonOptions(
        base: try FleetFilter(["version=2.0"]), head: try FleetFilter(["version=2.1"]))
      return try FleetComparison(reader.table, options)
    }
  }
}
