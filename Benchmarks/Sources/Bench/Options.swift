// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The options that `scripts/bench` passes on.
struct Options {
  var json = "results.json"
  static let allSections: Set<String> = ["recorder", "launch", "sampler", "observer", "reader"]
  var sections = allSections
  var rounds = 101
  var launches = 400
  /// Launches of each program in each way of observing it.
  var observations = 100
  var slices = 1_000_000
  var reports = 5
  var seed = UInt64(20_240_229)
  /// Folders of the release binaries, and of those with a static standard library (nil: not built).
  var binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
  var staticBinaries: String?
  /// The launchprof command, and the program that only reads a trace (nil: not built).
  var launchprof: String?
  var reader: String?
  /// scripts/tools/trace-processor.mjs and the command that runs it; nil when TRACE_PROCESSOR_DIST is not set.
  var traceProcessor: String?
  var node = Program.find("node") ?? "node"
  /// A folder on a disk, not in memory.
  var disk = FileManager.default.currentDirectoryPath
  var toolchain = ""
  /// The versions of the peers, as text for people.
  var peers = ""

  static let usage = """
    usage: scripts/bench [--only recorder,launch,sampler,observer,reader] [--json FILE] [--rounds N] [--launches N]
                         [--observations N] [--slices N] [--reports N] [--seed N]
    """

  init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw BenchError("\(option) needs a value\n\(Self.usage)") }
      switch option {
      case "--json": json = value
      case "--only": sections = Set(value.split(separator: ",").map(String.init))
      case "--rounds": rounds = try Self.number(option, value, from: 31)
      case "--launches": launches = try Self.number(option, value, from: 20)
      case "--observations": observations = try Self.number(option, value, from: 5)
      case "--slices": slices = try Self.number(option, value, from: 1000)
      case "--reports": reports = try Self.number(option, value, from: 1)
      case "--seed": seed = UInt64(try Self.number(option, value, from: 0))
      case "--binaries": binaries = value
      case "--static-binaries": staticBinaries = value
      case "--launchprof": launchprof = value
      case "--reader": reader = value
      case "--trace-processor": traceProcessor = value
      case "--node": node = value
      case "--disk": disk = value
      case "--toolchain": toolchain = value
      case "--peers": peers = value
      default: throw BenchError("unknown option \(option)\n\(Self.usage)")
      }
    }
    let unknown = sections.subtracting(Self.allSections)
    if !unknown.isEmpty { throw BenchError("no section is called \(unknown.sorted())\n\(Self.usage)") }
  }

  private static func number(_ option: String, _ text: String, from least: Int) throws(BenchError) -> Int {
    guard let number = Int(text), number >= least else {
      throw BenchError("\(option): a number of at least \(least), not \(text)")
    }
    return number
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
