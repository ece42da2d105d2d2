// SPDX-License-Identifier: Apache-2.0

/// Converts times between the clocks that the snapshots of a trace tie together, as trace_processor does
/// (`clock_synchronizer.cc`): by the latest snapshot before the time, else the first.
struct ClockTable {
  /// A clock: a builtin id, or (64 to 127) one that belongs to a sequence.
  struct Clock: Hashable {
    var id: UInt64
    var sequence: UInt32
    init(_ id: UInt64, sequence: UInt32 = 0) {
      self.id = id
      self.sequence = (64..<128).contains(id) ? sequence : 0
    }
  }

  /// Readings of a clock, in the order of the file.
  private struct Readings {
    /// The numbers of the snapshots.
    var snapshots: [Int32] = []
    var times: [Int64] = []
  }

  /// Readings of two clocks at the same instants, in the order of the file.
  private typealias Edge = [(from: Int64, to: Int64)]

  private struct Unit {
    var nanoseconds: Int64 = 1
    var isIncremental = false
    var last: Int64 = 0
  }

  /// The clock that the trace's times are converted to: BOOTTIME until a snapshot says otherwise.
  var primary = Clock(6) {
    didSet {
      directPaths.removeAll()
      paths.removeAll()
      forgetLast()
    }
  }
  private var hasConverted = false
  private var hasSnapshot = false
  private var readings: [Clock: Readings] = [:]
  private var snapshots: Int32 = 0
  /// Clocks that were read together, each group once, and the groups of each clock.
  private var groups: [[Clock]] = []
  private var knownGroups: Set<[Clock]> = []
  private var groupsOfClock: [Clock: [Int]] = [:]
  /// The pairs of clocks that were needed so far.
  private var edges: [Clock: [Clock: Edge]] = [:]
  private var units: [Clock: Unit] = [:]
  /// The ways from clocks to the primary one, empty for none. A direct one stays the shortest.
  private var directPaths: [Clock: [Clock]] = [:]
  private var paths: [Clock: [Clock]] = [:]
  /// The steps that were taken to find paths.
  private var steps = 0
  /// The last conversion, good for times in `validFrom..<validTo`.
  private var cached = Clock(0)
  private var validFrom = Int64.max
  private var validTo = Int64.min
  private var translation: Int64 = 0

  /// More clocks than any snapshot has.
  private static let largestSnapshot = 32
  /// More clocks than any trace has, and more groups of clocks that are read together. Further ones are left out.
  static let mostClocks = 1 << 14
  private static let mostGroups = 1 << 12
  /// The longest way, as in trace_processor.
  private static let longestPath = 4
  /// More steps than any trace needs. In a hostile file, each event can be of a clock with a long way.
  private static let mostSteps = 1 << 24

  /// Reads a `ClockSnapshot`; gives the builtin clocks' readings, ns.
  mutating func read(_ message: UnsafeRawBufferPointer, sequence: UInt32) -> ClockSnapshot {
    var clocks: [Clock] = []
    var times: [Clock: Int64] = [:]
    var newPrimary: UInt64 = 0
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 2) where clocks.count < Self.largestSnapshot:
        guard let (clock, time) = reading(field.bytes, sequence: sequence) else { continue }
        if times.updateValue(time, forKey: clock) == nil { clocks.append(clock) }
      case (2, 0): newPrimary = field.value
      default: break
      }
    }
    if !hasConverted, newPrimary != 0 { primary = Clock(newPrimary) }
    hasSnapshot = true
    add(clocks, times)
    forgetLast()
    var builtin: [Int32: Int64] = [:]
    for (clock, time) in times where clock.id < 64 { builtin[Int32(clock.id)] = time }
    return ClockSnapshot(readings: builtin)
  }

  private mutating func reading(_ message: UnsafeRawBufferPointer, sequence: UInt32) -> (clock: Clock, time: Int64)? {
    var id: UInt64 = 0
    var time: Int64 = 0
    var unit = Unit()
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: id = field.value
      case 2: time = field.signed
      case 3: unit.isIncremental = field.value != 0
      case 4: unit.nanoseconds = max(1, field.signed)
      default: break
      }
    }
    let clock = Clock(id, sequence: sequence)
    guard units.count < Self.mostClocks || units[clock] != nil else { return nil }
    unit.last = time &* unit.nanoseconds
    units[clock] = unit
    return (clock, unit.last)
  }

  private mutating func add(_ clocks: [Clock], _ times: [Clock: Int64]) {
    if clocks.count > 1, groups.count < Self.mostGroups, knownGroups.insert(clocks).inserted {
      for clock in clocks { groupsOfClock[clock, default: []].append(groups.count) }
      groups.append(clocks)
      paths.removeAll()
    }
    for (clock, time) in times {
      readings[clock, default: Readings()].snapshots.append(snapshots)
      readings[clock, default: Readings()].times.append(time)
      for other in Array(edges[clock, default: [:]].keys) {
        guard let otherTime = times[other] else { continue }
        edges[clock]?[other]?.append((time, otherTime))
      }
    }
    snapshots += 1
  }

  /// The readings of both clocks in the snapshots that have both.
  private mutating func edge(_ from: Clock, _ to: Clock) -> Edge? {
    if let known = edges[from]?[to] { return known }
    guard let left = readings[from], let right = readings[to] else { return nil }
    var edge = Edge()
    var place = 0
    for (snapshot, time) in zip(left.snapshots, left.times) {
      while place < right.snapshots.count, right.snapshots[place] < snapshot { place += 1 }
      guard place < right.snapshots.count else { break }
      if right.snapshots[place] == snapshot { edge.append((time, right.times[place])) }
    }
    edges[from, default: [:]][to] = edge
    return edge
  }

  private mutating func forgetLast() { (validFrom, validTo) = (.max, .min) }

  /// `time` of `clock` on the primary clock, ns; nil when no snapshot ties the two together (yet).
  @inline(__always)
  mutating func convert(_ time: Int64, from clock: Clock) -> Int64? {
    if clock == primary {
      hasConverted = true
      return time
    }
    if clock == cached, time >= validFrom, time < validTo { return time &+ translation }
    return slowConvert(time, from: clock)
  }

  /// Notes a time that is not needed: the next one of an incremental clock counts from it.
  mutating func advance(_ clock: Clock, by time: Int64) {
    guard let unit = units[clock], unit.isIncremental else { return }
    units[clock]?.last = unit.last &+ time &* unit.nanoseconds
  }

  private mutating func slowConvert(_ time: Int64, from clock: Clock) -> Int64? {
    guard hasSnapshot, let path = path(from: clock) else { return nil }
    var time = time
    var isSimple = true
    if let unit = units[clock], unit.nanoseconds != 1 || unit.isIncremental {
      isSimple = false
      time = time &* unit.nanoseconds
      if unit.isIncremental {
        time = unit.last &+ time
        units[clock]?.last = time
      }
    }
    hasConverted = true
    let start = time
    var low = Int64.min
    var high = Int64.max
    var current = clock
    for next in path {
      guard let edge = edge(current, next) else { return nil }
      // The latest snapshot that is not after the time, else the first.
      let row = max(0, edge.partitioningIndex { $0.from > time } - 1)
      let moved = time &- start
      if row > 0 { low = max(low, edge[row].from.subtractingSaturated(moved)) }
      if row + 1 < edge.count { high = min(high, edge[row + 1].from.subtractingSaturated(moved)) }
      time = time &+ (edge[row].to &- edge[row].from)
      current = next
    }
    if isSimple {
      cached = clock
      validFrom = low
      validTo = high
      translation = time &- start
    }
    return time
  }

  /// The clocks to go through from `clock` to the primary one: the shortest way.
  private mutating func path(from clock: Clock) -> [Clock]? {
    if let known = directPaths[clock] ?? paths[clock] { return known.isEmpty ? nil : known }
    let before = search(from: clock)
    var path: [Clock] = []
    var place = primary
    while place != clock, let previous = before[place] {
      path.append(place)
      place = previous
    }
    path.reverse()
    if path.count == 1 { directPaths[clock] = path } else { paths[clock] = path }
    return path.isEmpty ? nil : path
  }

  /// For each clock that is reached from `clock`, up to the primary one, the clock before it.
  private mutating func search(from clock: Clock) -> [Clock: Clock] {
    var before: [Clock: Clock] = [:]
    var seen: Set<Int> = []
    var reached = [clock]
    for _ in 0..<Self.longestPath {
      var next: [Clock] = []
      for current in reached {
        for group in groupsOfClock[current] ?? [] {
          steps += 1
          if steps > Self.mostSteps { return [:] }
          if !seen.insert(group).inserted { continue }
          for neighbour in groups[group] where neighbour != clock && before[neighbour] == nil {
            steps += 1
            before[neighbour] = current
            next.append(neighbour)
          }
          if before[primary] != nil { return before }
        }
      }
      reached = next
    }
    return before
  }
}
