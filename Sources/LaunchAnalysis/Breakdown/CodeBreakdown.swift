// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// A launch's time by library, module or function. It goes through the stacks or intervals themselves. Trees of paths have
/// one node for functions of several files with the same name, such as `_start`.
struct CodeBreakdown {
  private let timeline: LaunchTimeline
  private let trace: Trace
  /// The launch, ns.
  private let bounds: Range<Int64>
  private let aspect: Breakdown.Aspect
  private let mainThreadOnly: Bool
  private let isOfSeries: Bool
  /// Those of the trace, and the names of code by the aspect. A name's place is its number here.
  private var names: StringTable

  init(_ timeline: LaunchTimeline, by aspect: Breakdown.Aspect, mainThreadOnly: Bool, isOfSeries: Bool = false) {
    self.isOfSeries = isOfSeries
    (self.timeline, self.aspect, self.mainThreadOnly) = (timeline, aspect, mainThreadOnly)
    (trace, bounds) = (timeline.trace, timeline.context.bounds)
    names = trace.strings
  }

  consuming func build(fromSamples: Bool) -> Breakdown { fromSamples ? sampled() : measured() }

  /// Whether a sample was taken in the launch, and not only before or after it.
  var hasSamples: Bool {
    samples.contains { trace.samples.stack[$0] >= 0 && (!mainThreadOnly || trace.samples.track[$0] == main) }
  }

  /// Rows of the samples of the launch. The launch of a child process begins later than the samples of its parent.
  private var samples: Range<Int> {
    trace.samples.time.places(from: bounds.lowerBound, through: bounds.upperBound)
  }

  /// Samples without a thread are on track -1.
  private var main: Int32 { timeline.mainThread?.rawValue ?? -2 }

  // MARK: Samples

  private consuming func sampled() -> Breakdown {
    let (rows, samples, stacks) = (samples, trace.samples, trace.stacks)
    let unit = trace.sampleUnitName
    var parts = NestedParts(parents: stacks.caller)
    var whole: Int64 = 0
    for row in rows {
      let stack = Int(samples.stack[row])
      guard stack >= 0, !mainThreadOnly || samples.track[row] == main else { continue }
      parts.own[stack] &+= samples.weight[row]
      parts.counts[stack] += unit == "samples" && samples.weight[row] == 0 ? 0 : 1
      whole &+= samples.weight[row]
    }
    parts.total = parts.own
    for row in stride(from: stacks.count - 1, through: 0, by: -1) where stacks.caller[row] >= 0 {
      parts.total[Int(stacks.caller[row])] &+= parts.total[row]
      parts.counts[Int(stacks.caller[row])] += parts.counts[row]
    }
    var known = [Int32](repeating: -1, count: stacks.frames.count)
    for row in 0..<stacks.count where parts.counts[row] > 0 {
      let frame = Int(stacks.frame[row])
      if known[frame] < 0 {
        let name = trace.name(ofFrame: row)
        let function = isOfSeries ? Trace.nameInSeries(name) : name
        known[frame] = place(of: CodeNames.name(by: aspect, of: function, stacks.frames[frame], in: trace))
      }
      parts.places[row] = known[frame]
    }
    // In a profile without times, each stack is there once. Only a unit of samples says how many there were.
    let counted = trace.hasTimes || unit == "samples" ? "samples" : "stacks"
    return breakdown(parts, unit: unit, counted: counted, whole: whole)
  }

  // MARK: Intervals

  private consuming func measured() -> Breakdown {
    // Any tree has the whole time of a track.
    let tree = FlameTrees(timeline.context.launch, spans: timeline.spans, most: 1).flame
    let spans = timeline.spans
    let whole = tree.roots.filter { !mainThreadOnly || tree.flags[$0].contains(.mainThread) }
      .reduce(0) { $0 &+ tree.total[$1] }
    var parts = NestedParts(parents: spans.parent)
    let images = SliceImages(timeline)
    var known = [Int32](repeating: -1, count: trace.strings.count)
    for row in 0..<spans.count {
      let outer = Int(spans.parent[row])
      if !timeline.isShown(row) || (outer >= 0 && parts.counts[outer] == 0) { continue }
      let span = clipped(row)
      parts.counts[row] = 1
      parts.total[row] = span.upperBound - span.lowerBound
      parts.own[row] &+= parts.total[row]
      if outer >= 0 {
        let around = clipped(outer)
        parts.own[outer] -= max(0, min(span.upperBound, around.upperBound) - max(span.lowerBound, around.lowerBound))
      }
      if mainThreadOnly, spans.track[row] != main { continue }
      let name = trace.slices.name[row]
      if images.isKnown(row), let image = images[row] {
        parts.places[row] = place(of: text(name, image))
      } else {
        if known[Int(name)] < 0 { known[Int(name)] = place(of: text(name, timeline.executable)) }
        parts.places[row] = known[Int(name)]
      }
    }
    return breakdown(parts, unit: "ns", counted: "intervals", whole: whole)
  }

  /// The place of a name of code by the aspect.
  private mutating func place(of name: String) -> Int32 { Int32(truncatingIfNeeded: names.intern(name).rawValue) }

  private func text(_ name: UInt32, _ image: String) -> String {
    CodeNames.name(by: aspect, of: trace.strings[StringID(rawValue: name)], image: image, in: trace)
  }

  /// The part of a slice that is within the launch, and within the slices around it.
  private func clipped(_ row: SliceIndex) -> Range<Int64> {
    let start = max(timeline.spans.start[row], bounds.lowerBound)
    return start..<max(start, min(timeline.spans.nestedEnd(row), bounds.upperBound))
  }

  private consuming func breakdown(
    _ parts: consuming NestedParts, unit: String, counted: String, whole: Int64
  ) -> Breakdown {
    let sums = parts.sums(names: names.count)
    var found = [Int32](sums.counts.indices.lazy.filter { sums.counts[$0] > 0 }.map { Int32(truncatingIfNeeded: $0) })
    let leftOut = max(0, found.count - Breakdown.mostRows)
    if leftOut > 0 {
      found.sort { (sums.total[Int($1)], $0) < (sums.total[Int($0)], $1) }
      found.removeLast(leftOut)
    }
    let rows = found.map(Int.init).map { place in
      Breakdown.Row(
        names[StringID(rawValue: UInt32(place))], total: sums.total[place], selfTime: sums.own[place],
        count: unit == "samples" ? Int(sums.total[place]) : Int(sums.counts[place]))
    }
    var result = Breakdown(aspect: aspect, unit: unit, counted: counted, whole: whole, rows: rows)
    result.leftOut = leftOut
    result.sort()
    return result
  }
}
