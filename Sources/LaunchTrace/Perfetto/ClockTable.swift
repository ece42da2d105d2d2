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

  private struct Edge {
    /// Readings of two clocks at the same instants, in the order of the file.
    var from: [Int64] = []
    var to: [Int64] = []
  }

  private struct Unit {
    var nanoseconds: Int64 = 1
    var isIncremental = false
    var last: Int64 = 0
  }

  /// The clock that the trace's times are converted to: BOOTTIME until a snapshot says otherwise.
  private(set) var primary = Clock(6) { didSet { forgetPaths() } }
  private var hasConverted = false
  private var hasSnapshot = false
  private var edges: [Clock: [Clock: Edge]] = [:]
  private var units: [Clock: Unit] = [:]
  private var paths: [Clock: [Clock]] = [:]
  /// The last conversion, good for times in `validFrom..<validTo`.
  private var cached = Clock(0)
  private var validFrom = Int64.max
  private var validTo = Int64.min
  private var translation: Int64 = 0

  /// More clocks than any snapshot has: bounds the pairs that are kept.
  private static let largestSnapshot = 32

  /// Reads a `ClockSnapshot`; gives the builtin clocks' readings, ns.
  mutating func read(_ message: UnsafeRawBufferPointer, sequence: UInt32) -> ClockSnapshot {
    var readings: [(clock: Clock, time: Int64)] = []
    var newPrimary: UInt64 = 0
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (1, 2) where readings.count < Self.largestSnapshot:
        readings.append(reading(fields.bytes, sequence: sequence))
      case (2, 0): newPrimary = fields.value
      default: break
      }
    }
    if !hasConverted, newPrimary != 0 { primary = Clock(newPrimary) }
    hasSnapshot = true
    for (index, from) in readings.enumerated() {
      for to in readings[(index + 1)...] where to.clock != from.clock {
        add(from, to)
        add(to, from)
      }
    }
    validFrom = .max
    validTo = .min
    var builtin: [Int32: Int64] = [:]
    for reading in readings where reading.clock.id < 64 { builtin[Int32(reading.clock.id)] = reading.time }
    return ClockSnapshot(readings: builtin)
  }

  private mutating func reading(
    _ message: UnsafeRawBufferPointer, sequence: UInt32
  ) -> (clock: Clock, time: Int64) {
    var id: UInt64 = 0
    var time: Int64 = 0
    var unit = Unit()
    var fields = ProtobufFields(message)
    while fields.next() {
      switch fields.number {
      case 1: id = fields.value
      case 2: time = fields.signed
      case 3: unit.isIncremental = fields.value != 0
      case 4: unit.nanoseconds = max(1, fields.signed)
      default: break
      }
    }
    let clock = Clock(id, sequence: sequence)
    unit.last = time &* unit.nanoseconds
    units[clock] = unit
    return (clock, unit.last)
  }

  private mutating func add(_ from: (clock: Clock, time: Int64), _ to: (clock: Clock, time: Int64)) {
    if edges[from.clock]?[to.clock] == nil { paths.removeAll() }
    edges[from.clock, default: [:]][to.clock, default: Edge()].from.append(from.time)
    edges[from.clock, default: [:]][to.clock, default: Edge()].to.append(to.time)
  }

  /// The same snapshots for a trace whose times are of another clock.
  func converting(to clock: Clock) -> ClockTable {
    var table = self
    if table.primary != clock { table.primary = clock }
    return table
  }

  private mutating func forgetPaths() {
    paths.removeAll()
    validFrom = .max
    validTo = .min
  }

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
      guard let edge = edges[current]?[next] else { return nil }
      let row = Self.row(of: time, in: edge.from)
      let moved = time &- start
      if row > 0 { low = max(low, edge.from[row].subtractingSaturated(moved)) }
      if row + 1 < edge.from.count { high = min(high, edge.from[row + 1].subtractingSaturated(moved)) }
      time = time &+ (edge.to[row] &- edge.from[row])
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

  /// The latest snapshot that is not after `time`, else the first.
  private static func row(of time: Int64, in times: [Int64]) -> Int {
    max(0, times.partitioningIndex { $0 > time } - 1)
  }

  /// The clocks to go through from `clock` to the primary one: the shortest way.
  private mutating func path(from clock: Clock) -> [Clock]? {
    if let known = paths[clock] { return known.isEmpty ? nil : known }
    var ways: [Clock: [Clock]] = [clock: []]
    var queue = [clock]
    var next = 0
    while next < queue.count, ways[primary] == nil {
      let current = queue[next]
      next += 1
      for neighbour in (edges[current] ?? [:]).keys where ways[neighbour] == nil {
        ways[neighbour] = (ways[current] ?? []) + [neighbour]
        queue.append(neighbour)
      }
    }
    paths[clock] = ways[primary] ?? []
    return ways[primary]
  }
}
