// SPDX-License-Identifier: Apache-2.0

/// Phases that nest properly, and phases that cross them.
struct PhaseForest {
  private(set) var phases: [Phase] = []
  private(set) var crossing: [Phase] = []
  private var open: [Phase] = []

  /// Deeper phases appear only in the flame tree, because this walk is recursive.
  private static let deepest = 64

  init(_ recorded: [Phase]) {
    for phase in recorded.sorted(by: { ($0.start, -$0.end, $0.slice ?? -1) < ($1.start, -$1.end, $1.slice ?? -1) }) {
      add(phase)
    }
    while !open.isEmpty { close() }
  }

  private mutating func add(_ phase: Phase) {
    while let last = open.last, last.end <= phase.start { close() }
    if let last = open.last, last.end < phase.end {
      crossing.append(phase)
    } else if open.count < Self.deepest {
      open.append(phase)
    }
  }

  private mutating func close() {
    let phase = open.removeLast()
    if open.isEmpty {
      phases.append(phase)
    } else {
      open[open.count - 1].children.append(phase)
    }
  }
}

extension [Phase] {
  /// The phase at a time, of phases that follow each other. At the end of the last one, it is that one.
  func place(at time: Int64) -> Int? {
    let place = partitioningIndex { $0.end > time }
    if place < count, self[place].start <= time { return place }
    return place > 0 && self[place - 1].end == time ? place - 1 : nil
  }
}

extension Phase {
  /// Whether it begins before a time, or takes no time at it.
  func begins(before time: Int64) -> Bool { start < time || (start == time && duration == 0) }

  /// The phase without what begins later inside it; nil if it begins later itself.
  func part(before time: Int64) -> Phase? {
    guard begins(before: time) else { return nil }
    var phase = self
    phase.children = children.compactMap { $0.part(before: time) }
    return phase
  }

  /// The phase, which the end of the launch cuts at a time. What the recorder counted until its own end is more than that of
  /// the part.
  func marked(asCutAt time: Int64) -> Phase {
    var phase = self
    if start < time, end > time, !isUnfinished { (phase.goesOn, phase.costs) = (true, nil) }
    phase.children = children.map { $0.marked(asCutAt: time) }
    return phase
  }

  /// The part of the phase, and of its children, within a range.
  func clipped(from lower: Int64, to upper: Int64) -> Phase {
    var phase = self
    phase.start = min(max(start, lower), upper)
    phase.end = min(max(end, lower), upper)
    phase.children = children.filter { $0.start <= upper && $0.end >= lower }.map { $0.clipped(from: lower, to: upper) }
    return phase
  }

  /// Puts phases, each under the innermost phase that contains it.
  ///
  /// - Parameter found: in the order of time. They do not overlap.
  mutating func adopt(_ found: [Phase]) {
    var rest = found.map(Optional.some)
    for place in children.indices {
      let (start, end) = (children[place].start, children[place].end)
      let inside = found[found.partitioningIndex { $0.start >= start }...].prefix { $0.start < end && $0.end <= end }
      if inside.isEmpty { continue }
      children[place].adopt(rest[inside.indices].compactMap(\.self))
      for index in inside.indices { rest[index] = nil }
    }
    let others = rest.compactMap(\.self)
    if others.isEmpty { return }
    children = (children + others).sorted { ($0.start, -$0.end, $0.slice ?? -1) < ($1.start, -$1.end, $1.slice ?? -1) }
  }
}
