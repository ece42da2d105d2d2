// SPDX-License-Identifier: Apache-2.0

/// Events in the order of time, packed: mostly into 4 to 16 bytes each.
///
/// An event is the time since the one before it, its kind and which parts it has, its track, its name, and those parts. All are
/// varints.
struct EventRun {
  /// The parts of most events that have not their usual value, beside the kind.
  private enum Part {
    static let kind: UInt64 = 7
    static let value: UInt64 = 1 << 3
    static let thread: UInt64 = 1 << 4
    static let category: UInt64 = 1 << 5
    static let annotation: UInt64 = 1 << 6
    static let phase: UInt64 = 1 << 7
  }

  private var bytes: [UInt8] = []
  /// Where the next event goes on after its time.
  private var place = 0
  /// The time of the next event; nil after the last one.
  private(set) var nextTime: Int64?

  /// The most bytes of an event: two numbers of 64 bits, five of 32, and two of 8.
  private static let largest = 2 * 10 + 5 * 5 + 2 * 2

  /// - Parameter events: in any order.
  init(_ events: [DeferredEvent]) {
    let times = events.map(\.time)
    let rows = order(of: times)
    nextTime = times.min()
    // The first event begins with the time since itself: 0, in one byte.
    place = 1
    bytes = withUnsafeTemporaryAllocation(byteCount: events.count * Self.largest, alignment: 1) { room in
      guard let start = room.baseAddress else { return [] }
      var end = start
      var time = nextTime ?? 0
      for place in events.indices {
        let event = events[rows.map { Int($0[place]) } ?? place]
        Self.write(event, after: time, to: &end)
        time = event.time
      }
      return [UInt8](UnsafeRawBufferPointer(start: start, count: end - start))
    }
  }

  private static func write(_ event: DeferredEvent, after time: Int64, to end: inout UnsafeMutableRawPointer) {
    func put(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        end.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
        end += 1
        rest >>= 7
      }
      end.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
      end += 1
    }
    var parts = UInt64(event.kind.rawValue)
    if event.value != SliceTable.unfinished { parts |= Part.value }
    if event.thread != -1 { parts |= Part.thread }
    if event.category != 0 { parts |= Part.category }
    if event.annotation != 0 { parts |= Part.annotation }
    if event.phase != 0 { parts |= Part.phase }
    put(UInt64(bitPattern: event.time &- time))
    put(parts)
    put(UInt64(UInt32(bitPattern: event.track)))
    put(UInt64(event.name))
    if parts & Part.value != 0 { put(UInt64(bitPattern: event.value)) }
    if parts & Part.thread != 0 { put(UInt64(UInt32(bitPattern: event.thread))) }
    if parts & Part.category != 0 { put(UInt64(event.category)) }
    if parts & Part.annotation != 0 { put(UInt64(event.annotation)) }
    if parts & Part.phase != 0 { put(UInt64(event.phase)) }
  }

  mutating func next() -> DeferredEvent? {
    guard let time = nextTime else { return nil }
    return bytes.withUnsafeBytes { bytes -> DeferredEvent? in
      guard let start = bytes.baseAddress else { return nil }
      var cursor = start + place
      func number() -> UInt64 { ProtobufFields.varint(&cursor, start + bytes.count) ?? 0 }
      var event = DeferredEvent(time: time, track: 0, kind: .begin)
      let parts = number()
      event.kind = DeferredEvent.Kind(rawValue: UInt8(parts & Part.kind)) ?? .begin
      event.track = Int32(truncatingIfNeeded: number())
      event.name = UInt32(truncatingIfNeeded: number())
      if parts & Part.value != 0 { event.value = Int64(bitPattern: number()) }
      if parts & Part.thread != 0 { event.thread = Int32(truncatingIfNeeded: number()) }
      if parts & Part.category != 0 { event.category = UInt32(truncatingIfNeeded: number()) }
      if parts & Part.annotation != 0 { event.annotation = UInt32(truncatingIfNeeded: number()) }
      if parts & Part.phase != 0 { event.phase = UInt8(truncatingIfNeeded: number()) }
      nextTime = cursor == start + bytes.count ? nil : time &+ Int64(bitPattern: number())
      place = cursor - start
      return event
    }
  }
}
