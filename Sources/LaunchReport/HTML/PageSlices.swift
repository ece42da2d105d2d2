// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// The intervals of all tracks. In a large trace, short intervals are summed up in blocks, so that the page stays
/// small and fast.
struct PageSlices {
  /// The number of slices that are written one by one: the longest.
  private static let most = 60_000
  private static let mostBlocks = 160_000
  static let deepest = 255
  private static let mostAnnotated = 20_000
  /// The number of annotations of a slice, and of strings that only annotations have. A crafted file has a million.
  private static let mostNotes = 1000
  private static let mostNoteStrings = 400_000
  /// The number of elements of arrays that are rows of strings by themselves. Further arrays are one text each.
  private static let mostElements = 200_000

  /// A block of adjacent slices that are too short to be shown. There may be as many as slices.
  private struct Block {
    /// It begins where the block does, on its track and at its depth.
    var first: Int32
    var count: Int32 = 1
    var end: Int64
    /// Their time, ns.
    var busy: Int64
  }

  private let timeline: LaunchTimeline
  private var rows: [SliceIndex] = []
  private var depths: [UInt8] = []
  private var blocks: [Block] = []
  /// How many slices of a deeper level are left out.
  private(set) var tooDeep = 0

  init(_ timeline: LaunchTimeline, mainThreadOnly: Bool) {
    self.timeline = timeline
    let spans = timeline.spans
    depths = [UInt8](repeating: 0, count: spans.count)
    for row in 0..<spans.count where spans.parent[row] >= 0 {
      depths[row] = UInt8(min(Self.deepest, Int(depths[Int(spans.parent[row])]) + 1))
    }
    let isShown = { (row: SliceIndex) in !mainThreadOnly || spans.flags[row].contains(.mainThread) }
    let durations = mainThreadOnly ? (0..<spans.count).filter(isShown).map { spans.duration[$0] } : spans.duration
    let least = durations.least(keeping: Self.most)
    guard least > 0 || mainThreadOnly || depths.contains(UInt8(Self.deepest)) else {
      rows = Array(0..<spans.count)
      return
    }
    collect(least: least, mainThreadOnly: mainThreadOnly)
  }

  private mutating func collect(least: Int64, mainThreadOnly: Bool) {
    let (spans, depths) = (timeline.spans, depths)
    let lanes = laneStarts()
    // By lane: its open block, -1 for none.
    var open = [Int32](repeating: -1, count: lanes.last ?? 0)
    var (isUsed, used) = ([Bool](repeating: false, count: open.count), 0)
    for row in 0..<spans.count where spans.duration[row] < least {
      let lane = lanes[Int(spans.track[row])] + Int(depths[row])
      if !isUsed[lane] { used += 1 }
      isUsed[lane] = true
    }
    let extent = (timeline.trace.slices.start.last ?? 0) - (timeline.trace.slices.start.first ?? 0)
    let parts = min(4000, max(16, Self.mostBlocks / max(1, used)))
    let grain = max(1, extent / Int64(parts))
    // Unused room costs only address space.
    blocks.reserveCapacity(spans.count)
    for row in 0..<spans.count {
      if mainThreadOnly, !spans.flags[row].contains(.mainThread) { continue }
      if depths[row] == Self.deepest {
        tooDeep += 1
        continue
      }
      let lane = lanes[Int(spans.track[row])] + Int(depths[row])
      if spans.duration[row] >= least {
        rows.append(row)
        open[lane] = -1
        continue
      }
      let end = spans.end(row)
      let block = Int(open[lane])
      if block >= 0, end - spans.start[Int(blocks[block].first)] <= grain {
        blocks[block].end = max(blocks[block].end, end)
        blocks[block].count += 1
        blocks[block].busy += spans.duration[row]
      } else {
        open[lane] = Int32(truncatingIfNeeded: blocks.count)
        blocks.append(Block(first: Int32(truncatingIfNeeded: row), end: end, busy: spans.duration[row]))
      }
    }
  }

  /// Each depth of a track is a lane. By track: its first lane; then the number of lanes.
  private func laneStarts() -> [Int] {
    let tracks = timeline.spans.track
    var starts = [Int](repeating: 0, count: timeline.trace.tracks.count + 1)
    for row in tracks.indices { starts[Int(tracks[row]) + 1] = max(starts[Int(tracks[row]) + 1], Int(depths[row]) + 1) }
    for track in starts.indices.dropFirst() { starts[track] += starts[track - 1] }
    return starts
  }

  func write(to json: inout JSONWriter, strings: inout PageStrings) {
    let (spans, slices) = (timeline.spans, timeline.trace.slices)
    json.object("slices") { json in
      json.value("tooDeep", tooDeep)
      json.differences("start", rows.lazy.map { spans.start[$0] - timeline.start })
      json.column("duration", rows.lazy.map { spans.duration[$0] })
      json.column("track", rows.lazy.map { spans.track[$0] })
      json.column("depth", rows.lazy.map { depths[$0] })
      json.column("name", rows.map { strings.row(of: slices.name[$0]) })
      json.column("category", rows.map { strings.row(of: slices.category[$0]) })
      json.column("flags", rows.lazy.map { spans.flags[$0].rawValue })
      json.array("notes") { write(notes: &$0, strings: &strings) }
    }
    guard !blocks.isEmpty else { return }
    let firsts = blocks.lazy.map { Int($0.first) }
    json.object("blocks") { json in
      json.differences("start", firsts.map { spans.start[$0] - timeline.start })
      json.column("duration", blocks.lazy.map { $0.end - spans.start[Int($0.first)] })
      json.column("track", firsts.map { spans.track[$0] })
      json.column("depth", firsts.map { depths[$0] })
      json.column("count", blocks.lazy.map(\.count))
      json.column("busy", blocks.lazy.map(\.busy))
    }
  }

  /// The annotations of a slice: its row, then keys and values in turns. A value is a row of a string, or an array of
  /// rows.
  private func write(notes json: inout JSONWriter, strings: inout PageStrings) {
    let (annotations, lists) = (timeline.trace.annotations, timeline.trace.slices.annotation)
    var (left, elementsLeft) = (Self.mostAnnotated, Self.mostElements)
    let mostStrings = strings.count + Self.mostNoteStrings
    for (place, row) in rows.enumerated() where lists[row] != 0 && left > 0 && strings.count < mostStrings {
      left -= 1
      let entries = annotations.first(Self.mostNotes, of: lists[row])
      json.array { json in
        json.value(nil, place)
        for entry in entries {
          json.value(nil, strings.row(of: entry.key.rawValue))
          if let elements = Self.elements(entry.value), elements.count <= elementsLeft {
            elementsLeft -= elements.count
            json.column(nil, elements.map { strings.row(of: $0) })
          } else {
            json.value(nil, strings.row(of: entry.value.plainText))
          }
        }
        let more = annotations.count(of: lists[row]) - entries.count
        if more > 0 {
          json.value(nil, strings.row(of: "…"))
          json.value(nil, strings.row(of: "\(more) more annotations"))
        }
      }
    }
  }

  /// The texts of an array, such as the callers of a look-up, most of which other look-ups have, too.
  private static func elements(_ value: AnnotationValue) -> [String]? {
    guard case .array(let values) = value, values.count > 1 else { return nil }
    let texts = values.map(\.plainText)
    // One text would be cut.
    return texts.reduce(0) { $0 + $1.utf8.count + 2 } <= PageStrings.longest ? texts : nil
  }
}
