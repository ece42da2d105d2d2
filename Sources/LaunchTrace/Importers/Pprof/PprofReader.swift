// SPDX-License-Identifier: Apache-2.0

/// Reads profiles of pprof, as Go and many others write them (google/pprof, `proto/profile.proto`), mostly within gzip.
///
/// A profile counts several things for each stack. The one that the profile names is read, else the time, else the last
/// one, as pprof does. There are no times: the time of a sample is the sum of the weights before it.
struct PprofReader: TraceImporter {
  private var builder = TraceBuilder(format: .pprof)
  /// The locations of the sample that is read, innermost first.
  private var locations: [UInt64] = []

  /// Its fields may come in any order, so all of the beginning is looked at: fields of the profile, in their wire types, and
  /// one that says what a value counts.
  static func recognizes(_ head: FileHead) -> Bool {
    guard !head.isPlain else { return false }
    var hasType = false
    for field in ProtobufFields(head.bytes) {
      switch (field.number, field.wire) {
      case (1, 2):
        guard PprofTables.isValueType(field.bytes) else { return false }
        hasType = true
      case (2...6, 2), (11, 2), (7...10, 0), (12, 0), (13...15, 0), (13, 2): break
      default: return false
      }
    }
    return hasType
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    while try input.fill() {}
    guard input.isAtEnd else {
      throw TraceError(
        .tooLarge, path: input.path, message: "is a profile of more than \(TraceInput.largestWindow >> 20) MiB")
    }
    var reader = PprofReader()
    reader.builder.trace.statistics.bytes = input.offset + input.count
    reader.read(input.bytes)
    reader.builder.addUpWeights()
    return reader.builder.finish()
  }

  private mutating func read(_ profile: UnsafeRawBufferPointer) {
    // Samples may come before what they refer to.
    var tables = PprofTables(profile)
    let isWhole = tables.read(&builder)
    let (column, unit) = tables.chosenValue(&builder)
    let most = TraceLimits.stackSums(bytes: profile.count)
    builder.trace.sampleUnit = unit.name
    for field in ProtobufFields(profile) where field.number == 2 && field.wire == 2 {
      builder.trace.statistics.packets += 1
      guard let value = readSample(field.bytes, column: column) else {
        builder.ignored("samples with no value")
        continue
      }
      let weight = value.multipliedSaturated(unit.scale)
      if weight == 0 { continue }
      guard builder.hasRoomForSample(most) else { continue }
      builder.sample(track: nil, time: 0, stack: tables.stack(locations, &builder), weight: weight)
    }
    if !isWhole {
      builder.trace.statistics.truncated = true
      builder.report("the profile ends within a field; what follows is lost", at: profile.count)
    }
  }

  /// A stack, and how often or how long it was seen: the value in a column, nil if there is none.
  private mutating func readSample(_ message: UnsafeRawBufferPointer, column: Int) -> Int64? {
    locations.removeAll(keepingCapacity: true)
    var values = 0
    var value: Int64?
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: field.forEachVarint { locations.append(frame: $0) }
      case 2:
        field.forEachVarint {
          if values == column { value = Int64(bitPattern: $0) }
          values += 1
        }
      default: break
      }
    }
    return value
  }
}
