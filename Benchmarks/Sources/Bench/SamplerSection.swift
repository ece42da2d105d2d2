// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import Measuring

/// What taking stacks inside the program costs: the sampled thread, the watchdog, and a launch.
///
/// Every round runs every mode once, in a new random order. Each run does the same arithmetic for about 100 ms on the
/// main thread. The modes are: sampler off, on with nothing to do, and 1,000 stacks a second in each of its ways.
enum SamplerSection {
  private static let modes = [
    (id: "off", name: "no sampler"), (id: "idle", name: "watching, nothing over budget"),
    (id: "frame-pointers", name: "1,000 stacks a second"),
    (id: "complete", name: "1,000 stacks a second, by the unwind tables alone"),
    (id: "running", name: "stacks of CPU time only"),
  ]
  private static let rounds = 41
  private static let work100 = "sampler: 100 ms of work"
  private static let emptyLaunch = "sampler: a launch that does nothing"
  private static let stack = "sampler: a stack"
  /// Multiplications: about 100 ms.
  private static let work = 500_000_000

  private struct Measured {
    var thread: [Double] = []
    var process: [Double] = []
    var interruption: [Double] = []
    var watchdog: [Double] = []
    var launch: [Double] = []
  }

  static func rows(_ options: Options) throws(BenchError) -> [Row] {
    var measured = [Measured](repeating: Measured(), count: modes.count)
    var generator = SplitMix64(seed: options.seed)
    for round in -2..<rounds {
      for index in modes.indices.shuffled(using: &generator) {
        let busy = try run(modes[index].id, work: work, options)
        let empty = try run(modes[index].id, work: 0, options)
        if round < 0 { continue }
        measured[index].thread.append(busy[0] / 1e6)
        measured[index].process.append(busy[1] / 1e6)
        measured[index].launch.append(empty[1] / 1e6)
        guard busy[2] > 0 else { continue }
        measured[index].interruption.append(busy[3] / busy[2] / 1e3)
        measured[index].watchdog.append(busy[4] / busy[2] / 1e3)
      }
    }
    let all = modes.indices.flatMap { rows(modes[$0].name, measured[$0], measured[0]) }
    return [work100, emptyLaunch, stack].flatMap { section in all.filter { $0.section == section } }
  }

  /// Main thread's CPU, process's CPU, stacks, interruptions, watchdog's work: ns.
  private static func run(_ mode: String, work: Int, _ options: Options) throws(BenchError) -> [Double] {
    let output = "\(NSTemporaryDirectory())/launch-bench-\(getpid()).txt"
    defer { unlink(output) }
    try Program(path: "\(options.binaries)/SamplerCost", arguments: [mode, "\(work)"]).run(output: output)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let values = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    guard values.count == 5 else { throw BenchError("SamplerCost \(mode) said \(text)") }
    return values
  }

  private static func rows(_ name: String, _ measured: Measured, _ off: Measured) -> [Row] {
    func ratio(_ name: String, _ values: [Double], _ others: [Double]) -> Row.Ratio {
      let ratio = Statistics.pairedRatio(values, others)
      return Row.Ratio(to: name, median: ratio.estimate, interval: ratio.interval)
    }
    var rows = [
      Row(
        section: work100, name: name, unit: "ms", values: measured.thread,
        ratios: [
          ratio("main thread's CPU, no sampler", measured.thread, off.thread),
          ratio("process's CPU, no sampler", measured.process, off.process),
        ], processCPU: Statistics.median(measured.process)),
      Row(
        section: emptyLaunch, name: name, unit: "ms CPU", values: measured.launch,
        ratios: [ratio("no sampler", measured.launch, off.launch)]),
    ]
    if !measured.interruption.isEmpty {
      rows.append(
        Row(section: stack, name: "\(name): handler", unit: "µs", values: measured.interruption))
      rows.append(Row(section: stack, name: "\(name): watchdog", unit: "µs", values: measured.watchdog))
    }
    return rows
  }
}
