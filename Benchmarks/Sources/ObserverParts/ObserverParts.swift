// SPDX-License-Identifier: Apache-2.0

import CObserverParts
import Foundation
import Measuring

/// How much CPU time each part of observing a program from outside adds to its launch.
///
/// `observer-parts [--launches N] [--seed N] PROGRAM…`: every round launches a program once with each number of
/// parts, in a new random order. Ratios are those of Measuring; `nothing, again` is the control.
@main
struct ObserverParts {
  private static let parts: [(part: cop_part, name: String)] = [
    (COP_NOTHING, "nothing"), (COP_NOTHING, "nothing, again"), (COP_EVENTS, "an event a CPU that records nothing"),
    (COP_CODE, "and mappings of code"), (COP_MAPPINGS, "and all other mappings"),
    (COP_RECORDS, "and names, threads, switches, major faults"), (COP_STOP, "and the stop at execve"),
    (COP_WORD, "and word of another program"), (COP_BREAKPOINT, "and a breakpoint that is never reached"),
    (COP_SAMPLES, "and samples at 1 kHz"), (COP_WAITS, "and stacks of waits"),
  ]

  static func main() {
    var launches = 300
    var seed: UInt64 = 1
    var programs: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--launches": launches = arguments.popFirst().flatMap { Int($0) }.map { max(10, $0) } ?? launches
      case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
      default: programs.append(argument)
      }
    }
    check(cop_open(), "perf events")
    print("seed \(seed), \(launches) launches each, CPU time from execve on over that with nothing\n")
    for program in programs { measure(program, launches, seed: seed) }
  }

  private static func measure(_ program: String, _ launches: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var times = [[Double]](repeating: [], count: parts.count)
    let command = program.split(separator: " ").map(String.init)
    for round in -1..<launches {
      for index in parts.indices.shuffled(using: &generator) {
        let time = launch(command, parts[index].part)
        if round >= 0 { times[index].append(time) }
      }
    }
    let median = Statistics.median(times[0])
    print(String(format: "%@: %.3f ms", program, median))
    for (part, values) in zip(parts, times).dropFirst() {
      let ratio = Statistics.pairedRatio(values, times[0])
      let added = (ratio.estimate - 1) * median * 1000
      print(
        "  " + part.name.padding(toLength: 46, withPad: " ", startingAt: 0)
          + String(
            format: "%.3f [%.3f %.3f] %6.0f µs", ratio.estimate, ratio.interval.lowerBound, ratio.interval.upperBound,
            added))
    }
    print()
  }

  /// ms of CPU time.
  private static func launch(_ command: [String], _ part: cop_part) -> Double {
    var time: UInt64 = 0
    let copies = command.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    check(cop_launch(command[0], copies + [nil], part, &time), command.joined(separator: " "))
    return Double(time) / 1e6
  }

  private static func check(_ error: Int32, _ what: String) {
    if error == 0 { return }
    print("\(what): \(String(cString: strerror(error)))")
    exit(1)
  }
}
