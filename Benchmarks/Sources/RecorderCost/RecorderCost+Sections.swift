// SPDX-License-Identifier: Apache-2.0

import CMeasure
import LaunchProfiler
import Measuring

extension RecorderCost {
  /// The recorder prepares its chunks on a helper thread that inherits the CPU of the measured thread. This unpins it.
  private static let freeTheHelper: @Sendable () -> Void = { cm_unpin_threads("launchprof") }

  func measureOff() async -> [Row] {
    let names = Signposts.candidates(signposter)
    let samples = await roundRobin.measure(Clocks.candidates + names)
    let targets = [Signposts.pair: [Row.Target(Clocks.twoTicks, atMost: 0.08)]]
    return rows("not recording", names, samples, targets)
  }

  func measureFull() async -> [Row] {
    let pair = Candidate(Signposts.pair) { [signposter] in Signposts.scoped(signposter, $0) }
    let samples = await roundRobin.measure(Clocks.candidates + [pair])
    return rows("trace full: events counted, not written", [pair], samples, [:])
  }

  /// Measures only what depends on the destination.
  func measurePairs() async -> [Row] {
    let candidates = pairs
    let samples = await roundRobin.measure(Clocks.candidates + candidates, afterWarmUp: Self.freeTheHelper)
    let place = state == "memory" ? "memory" : "a file on disk"
    return rows("recording into \(place)", candidates, samples, [:])
  }

  func measureEverything() async -> [Row] {
    let disabled = Candidate("withIntervalSignpost of .disabled") { Signposts.scoped(.disabled, $0) }
    let own = Signposts.candidates(signposter)
    let candidates = [disabled, pairs[1]] + own
    let peers = Peers.candidates
    let bytes = await Growth.measure(own)
    let samples = await roundRobin.measure(
      Clocks.candidates + Clocks.others + candidates + peers, afterWarmUp: Self.freeTheHelper)
    let recording = "recording into a file on /dev/shm"
    return rows("clocks", Clocks.candidates + Clocks.others, samples, [:])
      + rows(recording, candidates, samples, Self.targets, bytes) + asyncRows(recording, samples)
      + rows("peers", peers, samples, [:]) + twoThreads()
  }

  private var pairs: [Candidate] {
    [
      Candidate(Signposts.pair) { [signposter] in Signposts.scoped(signposter, $0) },
      Candidate(Signposts.sustained, burst: 10_000) { [signposter] in Signposts.scoped(signposter, $0) },
    ]
  }

  private static let targets = [
    Signposts.pair: [
      Row.Target(Clocks.twoTicks, atMost: 1.30), Row.Target(Clocks.twoClocks, atMost: 0.65),
      Row.Target("bytes", atMost: 48),
    ]
  ]

  private func twoThreads() -> [Row] {
    if cm_cpu_count() < 2 { return [] }
    let pair = Candidate(Signposts.pair) { [signposter] in Signposts.scoped(signposter, $0) }
    let candidates = Clocks.candidates + [pair]
    let samples = roundRobin.measureOnTwoThreads(candidates)
    let targets = [Signposts.pair: [Row.Target(Clocks.twoTicks, atMost: 1.30)]]
    return rows("two threads at once", candidates, samples, targets)
  }

  /// How much more an await costs when it is an interval.
  private func asyncRows(_ section: String, _ samples: [String: Samples]) -> [Row] {
    guard let awaited = samples[Signposts.awaited], let ticks = samples[Clocks.twoTicks] else { return [] }
    return [Signposts.bareAwait, Signposts.returningAwait].compactMap { name in
      guard let bare = samples[name] else { return nil }
      let added = zip(awaited.thread, bare.thread).map { $0 - $1 }
      return Row(
        section: section, name: "async withIntervalSignpost, added to the \(name)", unit: "ns", values: added,
        ratios: [Row.Ratio(to: Clocks.twoTicks, added, ticks.thread)],
        targets: [.init("value", atMost: 45), .init(Clocks.twoTicks, atMost: 2.0)])
    }
  }

  private func rows(
    _ section: String, _ candidates: [Candidate], _ samples: [String: Samples], _ targets: [String: [Row.Target]],
    _ bytes: [String: Double] = [:]
  ) -> [Row] {
    candidates.compactMap { candidate in
      guard let sample = samples[candidate.name] else { return nil }
      let ratios = [Clocks.twoTicks, Clocks.twoClocks].compactMap { clock in
        samples[clock].map { Row.Ratio(to: clock, sample.thread, $0.thread) }
      }
      return Row(
        section: section, name: candidate.name, unit: "ns", values: sample.thread, ratios: ratios,
        bytes: bytes[candidate.name],
        // After a short burst the helper works while others are measured. Only a long burst includes its work.
        processCPU: candidate.name == Signposts.sustained ? Statistics.median(sample.process) : nil,
        targets: targets[candidate.name] ?? [])
    }
  }
}
