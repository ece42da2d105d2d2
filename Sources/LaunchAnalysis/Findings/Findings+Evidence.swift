// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What shows that a finding is true, as far as the trace has it.
extension Findings {
  /// A longer list would hide the important spans.
  private static let spansShown = 3

  private static let partsShown = 6

  /// The parts that make up the launch until a time, the largest first.
  func partEvidence(until end: Int64) -> [Evidence] {
    LaunchParts(timeline, until: end).parts.prefix(Self.partsShown).map { Evidence(.span, $0.name, time: $0.time) }
  }

  /// What happened between two times: the intervals in `slice`, what the main thread did, and the functions that samples
  /// saw. If nothing of these is known: the recorded interval or phase `name`.
  func evidence(of name: String, from start: Int64, to end: Int64, in slice: SliceIndex? = nil) -> [Evidence] {
    let track = slice.map { timeline.spans.track[$0] } ?? timeline.mainThread?.rawValue
    let flags = slice.map { timeline.spans.flags[$0] } ?? .mainThread
    // What the main thread did is not evidence of what another thread did.
    let isAlone = flags.isDisjoint(with: [.mainThread, .awaited, .async])
    let evidence =
      (slice.map { innerSpans(of: $0, from: start, to: end) } ?? [])
      + (flags.contains(.awaited) ? [awaitedEvidence(from: start, to: end)] : [])
      + (isAlone ? [] : stateEvidence(from: start, to: end))
      + [track.flatMap { hotStack(of: $0, from: start, to: end) }].compactMap(\.self)
    return evidence.isEmpty ? [Evidence(.span, name, time: end - start)] : evidence
  }

  /// Those directly in an interval that take at least a tenth of its part between two times, by name.
  private func innerSpans(of slice: SliceIndex, from start: Int64, to end: Int64) -> [Evidence] {
    let (spans, bounds) = (timeline.spans, start..<max(start, end))
    var times: [UInt32: Int64] = [:]
    for row in slice + 1..<spans.count {
      if spans.start[row] >= end { break }
      guard Int(spans.parent[row]) == slice else { continue }
      times[timeline.trace.slices.name[row], default: 0] += Int64(spans.range(row).clamped(to: bounds).count)
    }
    return times.filter { $0.value > 0 && $0.value >= (end - start) / 10 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.spansShown)
      .map { Evidence(.span, timeline.trace.strings[StringID(rawValue: $0.key)], time: $0.value) }
  }

  /// How long the launch waited for work of other threads.
  private func awaitedEvidence(from start: Int64, to end: Int64) -> Evidence {
    guard timeline.states.isKnown else {
      return Evidence(.note, "when it ended, the main thread was waiting for events")
    }
    let idle = TimeRanges(idle: timeline.states, in: timeline.start..<max(timeline.start, timeline.end))
    return Evidence(
      .note, "awaited: in this time the main thread only waited for events", time: idle.time(from: start, to: end))
  }

  /// The states of the main thread in a stretch of time.
  func stateEvidence(from start: Int64, to end: Int64) -> [Evidence] {
    stateEvidence(timeline.states.totals(from: start, to: end))
  }

  func stateEvidence(_ totals: StateTotals) -> [Evidence] {
    guard totals.isKnown else { return [] }
    return ThreadState.allCases.filter { totals[$0] > 0 && $0 != .unknown }.map { state in
      Evidence(.state, state.title, time: totals[state])
    }
  }

  /// The functions that samples saw the most on a thread, innermost last.
  private func hotStack(of track: Int32, from start: Int64, to end: Int64) -> Evidence? {
    guard let samples = timeline.context.large.samples else { return nil }
    let table = timeline.trace.samples
    var counts: [Int32: Int64] = [:]
    let rows = (table.time.firstPlace(notBefore: start)..<table.count).prefix { table.time[$0] < end }
    for row in rows where table.track[row] == track && samples.nodes[row] >= 0 {
      counts[samples.nodes[row], default: 0] += max(0, table.weight[row])
    }
    guard let hottest = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
    let path = samples.tree.path(of: Int(hottest.key)).dropFirst()
    return Evidence(.stack, path.joined(separator: " > "), time: samples.tree.unit == "ns" ? hottest.value : nil)
  }

  /// The innermost interval of the launch that is still open, and what is around it. Without an observed end, its time is
  /// not known.
  func openEvidence() -> [Evidence] {
    let spans = timeline.spans
    guard let last = spans.lastOpen else { return [] }
    let names = spans.parent.chain(from: last).map(timeline.trace.name(ofSlice:))
    let time = timeline.outcome == .unknown ? nil : spans.duration[last]
    return [Evidence(.span, names.reversed().joined(separator: " > ") + " (open)", time: time)]
  }
}

extension Outcome {
  /// How a failed launch ended, in words.
  var evidence: Evidence {
    switch self {
    case .exited(let status), .succeeded(let status): Evidence(.note, "it exited with status \(status)")
    case .signalled(let signal): Evidence(.note, "signal \(signal) ended it")
    case .deadlinePassed: Evidence(.note, "its deadline passed")
    case .timedOut: Evidence(.note, "it ran out of time and was ended")
    case .ended: Evidence(.note, "launchprof ended it")
    case .failedToStart(let reason): Evidence(.note, reason.isEmpty ? "it could not be started" : reason)
    case .unknown: Evidence(.note, "its end was not observed")
    }
  }
}
