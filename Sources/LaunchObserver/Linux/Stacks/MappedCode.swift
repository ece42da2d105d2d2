// SPDX-License-Identifier: Apache-2.0

/// The code in a process's memory over time, as reads of /proc/PID/maps find it.
struct MappedCode {
  private struct Key: Hashable {
    var address: UInt64
    var length: UInt64
    var path: String
  }

  private let processID: Int32
  /// Each since the read before the one that found it: it was mapped between the two.
  private(set) var mappings: [PerfEvents.Mapping] = []
  /// Those of the last read.
  private var known: Set<Key> = []
  /// When the program began, and when its mappings were last read, CLOCK_MONOTONIC ns.
  private var start: Int64
  private var last: Int64

  /// The time between two reads, ns: at first, and for an address that no mapping has.
  private static let shortest: Int64 = 4_000_000
  private static let shortestForUnknown: Int64 = 500_000

  init(processID: Int32, start: Int64) {
    self.processID = processID
    (self.start, last) = (start, start)
  }

  /// The process has executed another program.
  mutating func begin(at time: Int64) {
    known = []
    (start, last) = (time, time)
  }

  /// Reads the mappings again after a while, or soon if `address` is in none of them.
  mutating func look(at now: Int64, for address: UInt64) {
    let isKnown = known.contains { $0.address <= address && address - $0.address < $0.length }
    let interval = isKnown ? max(Self.shortest, (now - start) / 50) : Self.shortestForUnknown
    if known.isEmpty || now - last >= interval { read(at: now) }
  }

  private mutating func read(at now: Int64) {
    let before = known
    known = []
    for var mapping in ProcessMaps.code(of: processID) {
      let key = Key(address: mapping.address, length: mapping.length, path: mapping.path)
      known.insert(key)
      // Another library may have been there before the last read.
      if before.contains(key) { continue }
      mapping.place.time = last
      mappings.append(mapping)
    }
    last = now
  }
}
