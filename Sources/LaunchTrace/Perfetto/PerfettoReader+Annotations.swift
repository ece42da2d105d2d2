// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  /// The debug annotations of a track event, as a row of `Trace.annotations`.
  mutating func annotations(_ message: UnsafeRawBufferPointer, _ row: Int) -> UInt32 {
    var list = AnnotationTable.List()
    for field in ProtobufFields(message) where field.number == 4 && field.wire == 2 {
      append(annotation: field.bytes, row, &list)
    }
    return list.head
  }

  private mutating func append(
    annotation message: UnsafeRawBufferPointer, _ row: Int, _ list: inout AnnotationTable.List
  ) {
    var key = StringID.empty
    var text: UnsafeRawBufferPointer?
    var value = DebugAnnotationValue()
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): key = sequences[row].annotationNames.string(field.value) ?? .empty
      case (10, 2): key = builder.string(utf8: field.bytes)
      case (6, 2), (9, 2): text = field.bytes
      default: read(field, of: message, row, depth: 0, into: &value)
      }
    }
    if key == .empty { return }
    if let text {
      builder.trace.annotations.append(utf8: text, key: key, to: &list)
    } else if let value = value.last {
      builder.trace.annotations.append(value, key: key, to: &list)
    }
  }

  /// The value of a `DebugAnnotation` while its fields are read.
  private struct DebugAnnotationValue {
    var last: AnnotationValue?
    /// The dictionary or array. Its first field reads all of them, so that the time grows only with their length.
    var composite: AnnotationValue?
  }

  /// How deep dictionaries and arrays may be nested. Deeper ones are left out.
  private static let deepestAnnotation = 32

  /// Reads a field of a `DebugAnnotation`; fields of dictionaries and arrays add up.
  private func read(
    _ field: ProtobufFields.Field, of message: UnsafeRawBufferPointer, _ row: Int, depth: Int,
    into value: inout DebugAnnotationValue
  ) {
    switch (field.number, field.wire) {
    case (2, 0): value.last = .bool(field.value != 0)
    case (3, 0): value.last = .uint(field.value)
    case (4, 0): value.last = .int(field.signed)
    case (5, 1): value.last = .double(field.double)
    case (6, 2), (9, 2): value.last = .string(field.string)
    case (7, 0): value.last = .pointer(field.value)
    case (17, 0):
      let id = sequences[row].annotationStrings.string(field.value)
      value.last = .string(builder.trace.strings[id ?? .empty])
    case (11, 2), (12, 2):
      value.composite = value.composite ?? composite(field.number, of: message, row, depth: depth)
      value.last = value.composite
    case (8, 2): value.last = nestedValue(field.bytes, depth: depth)
    default: break
    }
  }

  /// The dictionary of all fields 11, or the array of all fields 12.
  private func composite(
    _ number: Int, of message: UnsafeRawBufferPointer, _ row: Int, depth: Int
  ) -> AnnotationValue {
    var (entries, values): ([String: AnnotationValue], [AnnotationValue]) = ([:], [])
    if depth < Self.deepestAnnotation {
      for field in ProtobufFields(message) where field.number == number && field.wire == 2 {
        guard case (let key, let value?) = entry(field.bytes, row, depth: depth + 1) else { continue }
        if number == 11 { entries[key] = value } else { values.append(value) }
      }
    }
    return number == 11 ? .dictionary(entries) : .array(values)
  }

  private func entry(
    _ message: UnsafeRawBufferPointer, _ row: Int, depth: Int
  ) -> (key: String, value: AnnotationValue?) {
    var key = ""
    var value = DebugAnnotationValue()
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): if let id = sequences[row].annotationNames.string(field.value) { key = builder.trace.strings[id] }
      case (10, 2): key = field.string
      default: read(field, of: message, row, depth: depth, into: &value)
      }
    }
    return (key, value.last)
  }

  /// `DebugAnnotation.NestedValue`, of old writers.
  private func nestedValue(_ message: UnsafeRawBufferPointer, depth: Int) -> AnnotationValue? {
    if depth >= Self.deepestAnnotation { return nil }
    var type: UInt64 = 0
    var keys: [String] = []
    var values: [AnnotationValue] = []
    var scalar: AnnotationValue?
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (1, 0): type = field.value
      case (2, 2): keys.append(field.string)
      case (3, 2), (4, 2): values.append(nestedValue(field.bytes, depth: depth + 1) ?? .string(""))
      case (5, 0): scalar = .int(field.signed)
      case (6, 1): scalar = .double(field.double)
      case (7, 0): scalar = .bool(field.value != 0)
      case (8, 2): scalar = .string(field.string)
      default: break
      }
    }
    switch type {
    case 1: return .dictionary(Dictionary(zip(keys, values), uniquingKeysWith: { $1 }))
    case 2: return .array(values)
    default: return scalar
    }
  }
}
