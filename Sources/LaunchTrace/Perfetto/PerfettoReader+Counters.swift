// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  mutating func readCounter(_ event: TrackEvent, _ track: TrackID, _ time: Int64, _ row: Int) {
    let uuid = uuid(of: event, row)
    guard let value = event.counterValue else { return ignored("counter events with no value") }
    addCounter(value, uuid, track, time, row)
  }

  private mutating func addCounter(_ value: Double, _ uuid: UInt64, _ track: TrackID, _ time: Int64, _ row: Int) {
    guard let counter = descriptors.counter(uuid) else {
      if mode == .direct { mustSort = true } else { ignored("counter events of tracks that are not counters") }
      return
    }
    var value = value * counter.multiplier
    if counter.isIncremental {
      value += sequences[row].counters[uuid] ?? 0
      sequences[row].counters[uuid] = value
    }
    builder.counter(track: track, time: time, value: value)
  }

  /// Values of further counters that an event of any type brings.
  mutating func readExtraCounters(_ message: UnsafeRawBufferPointer, _ time: Int64, _ row: Int) {
    var tracks: [UInt64] = []
    var doubleTracks: [UInt64] = []
    var values: [UInt64] = []
    var doubleValues: [Double] = []
    for field in ProtobufFields(message) {
      switch field.number {
      case 31: field.appendVarints(to: &tracks)
      case 12: field.appendVarints(to: &values)
      case 45: field.appendVarints(to: &doubleTracks)
      case 46 where field.wire == 1: doubleValues.append(field.double)
      case 46 where field.wire == 2:
        for place in stride(from: 0, to: field.bytes.count - 7, by: 8) {
          let bits = field.bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          doubleValues.append(Double(bitPattern: UInt64(littleEndian: bits)))
        }
      default: break
      }
    }
    if tracks.isEmpty { tracks = sequences[row].defaults.extraCounters }
    if doubleTracks.isEmpty { doubleTracks = sequences[row].defaults.extraDoubleCounters }
    let numbers = zip(tracks, values).map { ($0, Double(Int64(bitPattern: $1))) }
    for (uuid, value) in numbers + zip(doubleTracks, doubleValues) {
      guard builder.trace.counters.count < TraceLimits.counters(bytes: builder.bytes) else {
        ignored("more values of counters than a file of its size has")
        continue
      }
      guard hasRoom(forTrack: uuid), let track = descriptors.track(uuid, &builder) else { continue }
      addCounter(value, uuid, track, time, row)
    }
  }

  /// Thread time and instruction counts, which old writers put on events: counters of the thread.
  mutating func readClockCounters(_ event: TrackEvent, _ time: Int64, _ row: Int) {
    if event.threadTimeDelta == nil, event.threadTime == nil, event.instructionsDelta == nil, event.instructions == nil
    {
      return
    }
    guard var thread = sequences[row].thread else { return }
    func value(_ sum: inout Int64, _ delta: Int64?, _ absolute: Int64?, unit: Int64) -> Int64? {
      guard let delta else { return absolute?.multipliedSaturated(unit) }
      sum = sum.addingSaturated(delta.multipliedSaturated(unit))
      return sum
    }
    let threadTime = value(&thread.threadTime, event.threadTimeDelta, event.threadTime, unit: 1000)
    let instructions = value(&thread.instructions, event.instructionsDelta, event.instructions, unit: 1)
    sequences[row].thread = thread
    let track = builder.thread(thread.threadID, ofProcess: thread.processID)
    if let threadTime {
      let counter = legacy.counter("thread_time", unit: "ns", of: track, &builder)
      builder.counter(track: counter, time: time, value: Double(threadTime))
    }
    if let instructions {
      let counter = legacy.counter("thread_instruction_count", unit: "count", of: track, &builder)
      builder.counter(track: counter, time: time, value: Double(instructions))
    }
  }
}
