internal import LaunchAnalysis
internal import LaunchTrace

/// The intervals of all tracks. In a large trace, short intervals are summed up in blocks, so that the page stays
/// small and fast.
struct PageSlices {
  /// The number of slices that are written one by one: the longest.
  private static let most = 60_000
  private static let mostBlocks = 160_000
  private static let deepest = 255
  private static let mostAnnotated = 20_000

  /// A block of adjacent slices that are too short to be shown.
  private struct Block {
    var track: Int32
    var depth: Int64
    var start: Int64
    var end: Int64
    var count: Int64 = 0
    /// Their time, ns.
    var busy: Int64 = 0
  }

  private let timeline: LaunchTimeline
  private var rows: [SliceIndex] = []
  private var depths: [UInt8] = []
  private var blocks: [Block] = []
  private var tooDeep = 0

  init(_ timeline: LaunchTimeline, mainThreadOnly: Bool) {
    self.timeline = timeline
    let spans = timeline.spans
    depths = [UInt8](repeating: 0, count: spans.count)
    for row in 0..<spans.count where spans.parent[row] >= 0 {
      depths[row] = UInt8(min(Self.deepest, Int(depths[Int(spans.parent[row])]) + 1))
    }
    let least = Self.leastDuration(spans)
    guard least > 0 || mainThreadOnly || depths.contains(UInt8(Self.deepest)) else {
      rows = Array(0..<spans.count)
      return
    }
    collect(least: least, mainThreadOnly: mainThreadOnly)
  }

  /// The smallest duration of slices that are shown one by one, ns; 0 for all. It comes from a histogram of powers of
  /// two, and of parts of the one that contains the limit, so that a million times need not be sorted.
  private static func leastDuration(_ spans: SpanTable) -> Int64 {
    guard spans.count > most else { return 0 }
    var counts = [Int](repeating: 0, count: 65)
    for duration in spans.duration { counts[Int64.bitWidth - duration.leadingZeroBitCount] += 1 }
    var (width, longer) = (63, 0)
    while width > 0, longer + counts[width] <= most {
      longer += counts[width]
      width -= 1
    }
    guard width > 0 else { return 1 }
    let parts = 1024
    let low: Int64 = 1 << Int64(width - 1)
    var fine = [Int](repeating: 0, count: parts)
    for duration in spans.duration where duration >= low && duration - low < low {
      fine[Int(min(Double(parts - 1), Double(duration - low) / Double(low) * Double(parts)))] += 1
    }
    var part = parts
    while part > 0, longer + fine[part - 1] <= most {
      part -= 1
      longer += fine[part]
    }
    return low + Int64((Double(part) * Double(low) / Double(parts)).rounded(.up))
  }

  private mutating func collect(least: Int64, mainThreadOnly: Bool) {
    let spans = timeline.spans
    var lanes: [Int64: Int] = [:]
    for row in 0..<spans.count where spans.duration[row] < least {
      let lane = Int64(spans.track[row]) << 8 | Int64(depths[row])
      if lanes[lane] == nil { lanes[lane] = -1 }
    }
    let extent = (timeline.trace.slices.start.last ?? 0) - (timeline.trace.slices.start.first ?? 0)
    let parts = min(4000, max(16, Self.mostBlocks / max(1, lanes.count)))
    let grain = max(1, extent / Int64(parts))
    for row in 0..<spans.count {
      if mainThreadOnly, !spans.flags[row].contains(.mainThread) { continue }
      if depths[row] == Self.deepest {
        tooDeep += 1
        continue
      }
      let lane = Int64(spans.track[row]) << 8 | Int64(depths[row])
      if spans.duration[row] >= least {
        rows.append(row)
        lanes[lane] = -1
        continue
      }
      let (start, end) = (spans.start[row], spans.end(row))
      if let open = lanes[lane], open >= 0, end - blocks[open].start <= grain {
        blocks[open].end = max(blocks[open].end, end)
        blocks[open].count += 1
        blocks[open].busy += spans.duration[row]
      } else {
        lanes[lane] = blocks.count
        blocks.append(
          Block(
            track: spans.track[row], depth: Int64(depths[row]), start: start, end: end, count: 1,
            busy: spans.duration[row]))
      }
    }
  }

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    let (spans, slices) = (timeline.spans, timeline.trace.slices)
    json.object("slices") { json in
      json.value("all", spans.count)
      json.value("tooDeep", tooDeep)
      json.column("start", Columns.differences(rows.lazy.map { spans.start[$0] - timeline.start }))
      json.column("duration", rows.lazy.map { spans.duration[$0] })
      json.column("track", rows.lazy.map { Int64(spans.track[$0]) })
      json.column("depth", rows.lazy.map { Int64(depths[$0]) })
      json.column("name", rows.map { strings.row(of: slices.name[$0]) })
      json.column("category", rows.map { strings.row(of: slices.category[$0]) })
      json.column("flags", rows.lazy.map { Int64(spans.flags[$0].rawValue) })
      json.array("notes") { write(notes: &$0, strings: &strings) }
    }
    guard !blocks.isEmpty else { return }
    json.object("blocks") { json in
      json.column("start", Columns.differences(blocks.lazy.map { $0.start - timeline.start }))
      json.column("duration", blocks.lazy.map { $0.end - $0.start })
      json.column("track", blocks.lazy.map { Int64($0.track) })
      json.column("depth", blocks.lazy.map(\.depth))
      json.column("count", blocks.lazy.map(\.count))
      json.column("busy", blocks.lazy.map(\.busy))
    }
  }

  /// The annotations of a slice: its row, then keys and values in turns.
  private func write(notes json: inout JSONWriter, strings: inout PageStrings) {
    let trace = timeline.trace
    var left = Self.mostAnnotated
    for (place, row) in rows.enumerated() where trace.slices.annotation[row] != 0 && left > 0 {
      left -= 1
      var note = [Int64(place)]
      for entry in trace.annotations[trace.slices.annotation[row]] {
        note += [strings.row(of: entry.key.rawValue), strings.row(of: entry.value.plainText)]
      }
      json.array { json in
        for value in note { json.value(nil, value) }
      }
    }
  }
}
