// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  /// The debug annotations of a track event, as a row of `Trace.annotations`.
  mutating func annotations(_ message: UnsafeRawBufferPointer, _ row: Int) -> UInt32 {
    var list = AnnotationTable.List()
    var fields = ProtobufFields(message)
    while fields.next() {
      if fields.number == 4, fields.wire == 2 { append(annotation: fields.bytes, row, &list) }
    }
    return list.head
  }

  private mutating func append(
    annotation message: UnsafeRawBufferPointer, _ row: Int, _ list: inout AnnotationTable.List
  ) {
    var key = StringID.empty
    var text: UnsafeRawBufferPointer?
    var value: AnnotationValue?
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (1, 0):
        let id = sequences[row].annotationNames[fields.value]
        key = id == InternTable.absent ? .empty : StringID(rawValue: id)
      case (10, 2): key = builder.trace.strings.intern(utf8: fields.bytes)
      case (6, 2), (9, 2): text = fields.bytes
      default: value = annotationValue(fields, message, row, depth: 0, value)
      }
    }
    if key == .empty { return }
    if let text {
      builder.trace.annotations.append(utf8: text, key: key, to: &list)
    } else if let value {
      builder.trace.annotations.append(value, key: key, to: &list)
    }
  }

  /// How deep dictionaries and arrays may be nested. Deeper ones are left out.
  private static let deepestAnnotation = 32

  /// The value that a field of a `DebugAnnotation` gives; fields of dictionaries and arrays add up.
  private func annotationValue(
    _ fields: ProtobufFields, _ message: UnsafeRawBufferPointer, _ row: Int, depth: Int, _ before: AnnotationValue?
  ) -> AnnotationValue? {
    switch (fields.number, fields.wire) {
    case (2, 0): return .bool(fields.value != 0)
    case (3, 0): return .uint(fields.value)
    case (4, 0): return .int(fields.signed)
    case (5, 1): return .double(fields.double)
    case (6, 2), (9, 2): return .string(fields.string)
    case (7, 0): return .pointer(fields.value)
    case (17, 0):
      let id = sequences[row].annotationStrings[fields.value]
      return .string(id == InternTable.absent ? "" : builder.trace.strings[StringID(rawValue: id)])
    // Repeated fields: the first one reads all of them, so that the time grows only with their length.
    case (11, 2), (12, 2):
      switch before {
      case .dictionary, .array: return before
      default: return fields.number == 11 ? dictionary(message, row, depth: depth) : array(message, row, depth: depth)
      }
    case (8, 2): return nestedValue(fields.bytes, depth: depth)
    default: return before
    }
  }

  private func dictionary(_ message: UnsafeRawBufferPointer, _ row: Int, depth: Int) -> AnnotationValue {
    var entries: [String: AnnotationValue] = [:]
    if depth < Self.deepestAnnotation {
      var fields = ProtobufFields(message)
      while fields.next() {
        if fields.number == 11, fields.wire == 2 {
          let (key, value) = entry(fields.bytes, row, depth: depth + 1)
          if let value { entries[key] = value }
        }
      }
    }
    return .dictionary(entries)
  }

  private func array(_ message: UnsafeRawBufferPointer, _ row: Int, depth: Int) -> AnnotationValue {
    var values: [AnnotationValue] = []
    if depth < Self.deepestAnnotation {
      var fields = ProtobufFields(message)
      while fields.next() {
        if fields.number == 12, fields.wire == 2, let value = entry(fields.bytes, row, depth: depth + 1).value {
          values.append(value)
        }
      }
    }
    return .array(values)
  }

  private func entry(
    _ message: UnsafeRawBufferPointer, _ row: Int, depth: Int
  ) -> (key: String, value: AnnotationValue?) {
    var key = ""
    var value: AnnotationValue?
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (1, 0):
        let id = sequences[row].annotationNames[fields.value]
        if id != InternTable.absent { key = builder.trace.strings[StringID(rawValue: id)] }
      case (10, 2): key = fields.string
      default: value = annotationValue(fields, message, row, depth: depth, value)
      }
    }
    return (key, value)
  }

  /// `DebugAnnotation.NestedValue`, of old writers.
  private func nestedValue(_ message: UnsafeRawBufferPointer, depth: Int) -> AnnotationValue? {
    if depth >= Self.deepestAnnotation { return nil }
    var type: UInt64 = 0
    var keys: [String] = []
    var values: [AnnotationValue] = []
    var scalar: AnnotationValue?
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (1, 0): type = fields.value
      case (2, 2): keys.append(fields.string)
      case (3, 2), (4, 2): values.append(nestedValue(fields.bytes, depth: depth + 1) ?? .string(""))
      case (5, 0): scalar = .int(fields.signed)
      case (6, 1): scalar = .double(fields.double)
      case (7, 0): scalar = .bool(fields.value != 0)
      case (8, 2): scalar = .string(fields.string)
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
