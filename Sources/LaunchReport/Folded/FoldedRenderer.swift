// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// Folded stacks for flame graph tools: `program;main thread;load 8320000`. There is one line for each path with self
/// time, in nanoseconds. Launches are not separated, because tools add up equal lines. `;` in a name is `\u{3B}`.
struct FoldedRenderer: ReportRenderer {
  /// Deeper stacks are shortened, because those of a trace with unlimited nesting would fill the disk.
  private static let deepest = 512

  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    let counted = launches.counted.isEmpty ? launches.launches : launches.counted
    for launch in counted {
      write(launch.timeline, options: options, to: &output)
      if output.hasFailed { break }
    }
    try output.finish()
  }

  /// For a program that named none of its work, functions say more than phases and initialisers.
  private func unrecorded(_ timeline: LaunchTimeline) -> FlameTree {
    guard let samples = timeline.sampleFlame else { return timeline.flame }
    return samples.unit == "ns" ? timeline.mergedFlame : samples
  }

  private func write(_ timeline: LaunchTimeline, options: ReportOptions, to output: inout OutputBuffer) {
    var escapes: PlainName.Escapes = .pathSeparator
    if options.ascii { escapes.insert(.beyondASCII) }
    let flame =
      options.merge
      ? timeline.mergedFlame : timeline.flame.namesNoWork ? unrecorded(timeline) : timeline.flame
    let program = PlainName.escaped(timeline.program.isEmpty ? "program" : timeline.program, escapes)
    let names = TextPool(
      (0..<flame.strings.count).lazy.map { PlainName.escaped(flame.strings[StringID(rawValue: UInt32($0))], escapes) })
    let longest = longestPath(flame, names)
    let shares = sampledShares(flame)
    var chain: [Int] = []
    // A parent comes before its children.
    var tracks: [Int32] = []
    for node in 0..<flame.count {
      let parent = Int(flame.parent[node])
      tracks.append(parent < 0 ? Int32(truncatingIfNeeded: node) : tracks[parent])
      let selfTime =
        shares[node] < 1 ? Int64(Double(flame.selfTime(of: node)) * shares[node]) : flame.selfTime(of: node)
      if selfTime == 0 { continue }
      if options.mainThreadOnly, !flame.flags[node].contains(.mainThread) { continue }
      if output.hasFailed { return }
      chain.removeAll(keepingCapacity: true)
      var (place, length) = (node, 0)
      while place >= 0, chain.count < Self.deepest {
        length += 1 + names.length(Int(flame.name[place]))
        if length > longest, place != node { break }
        chain.append(place)
        place = Int(flame.parent[place])
      }
      // The track, and the innermost names.
      let isShortened = place >= 0
      if isShortened { chain[max(1, chain.count - 1)...] = [Int(tracks[node])] }
      output.append(program)
      for (depth, place) in chain.reversed().enumerated() {
        if depth == 1, isShortened { output.append(literal: ";...") }
        output.append(UInt8(ascii: ";"))
        names.write(Int(flame.name[place]), to: &output)
      }
      output.append(UInt8(ascii: " "))
      output.append(selfTime)
      output.append(UInt8(ascii: "\n"))
    }
  }

  /// By node, the part of its time that counts. A sample stands for the time between two samples, which is more than a short span
  /// takes. What the samples of a span say then fills the span, so that the lines add up to the launch.
  private func sampledShares(_ flame: FlameTree) -> [Double] {
    var (recorded, sampled) = ([Int64](repeating: 0, count: flame.count), [Int64](repeating: 0, count: flame.count))
    for node in 0..<flame.count where flame.parent[node] >= 0 {
      let parent = Int(flame.parent[node])
      if flame.flags[node].contains(.inferred) {
        sampled[parent] &+= flame.total[node]
      } else {
        recorded[parent] &+= flame.total[node]
      }
    }
    var shares: [Double] = []
    shares.reserveCapacity(flame.count)
    for node in 0..<flame.count {
      let parent = Int(flame.parent[node])
      guard parent >= 0, flame.flags[node].contains(.inferred) else {
        shares.append(1)
        continue
      }
      if flame.flags[parent].contains(.inferred) {
        shares.append(shares[parent])
      } else {
        // A track has no time of its own.
        let room = flame.parent[parent] < 0 ? Int64.max : max(0, flame.total[parent] &- recorded[parent])
        shares.append(sampled[parent] > room ? Double(room) / Double(sampled[parent]) : 1)
      }
    }
    return shares
  }

  /// The most bytes of a stack.
  private func longestPath(_ flame: FlameTree, _ names: TextPool) -> Int {
    var lengths: [Int] = []
    lengths.reserveCapacity(flame.count)
    for node in 0..<flame.count {
      let parent = Int(flame.parent[node])
      let length = (parent < 0 ? 0 : lengths[parent]) + 1 + names.length(Int(flame.name[node]))
      // Their sum must not overflow.
      lengths.append(min(length, 1 << 32))
    }
    return PathBytes.limit(whole: lengths.reduce(0, +), paths: flame.count)
  }
}
