// SPDX-License-Identifier: Apache-2.0

extension PerfettoReader {
  /// Adds the entries of an `InternedData` to its sequence.
  mutating func read(interned message: UnsafeRawBufferPointer, _ row: Int) {
    if mode == .describing { return }
    var fields = ProtobufFields(message)
    while let field = fields.next() {
      guard field.wire == 2 else { continue }
      switch field.number {
      case 1: if let it = entry(field.bytes) { sequences[row].categories.insert(it) }
      case 2: if let it = entry(field.bytes) { sequences[row].names.insert(it) }
      case 3: if let it = entry(field.bytes) { sequences[row].annotationNames.insert(it) }
      case 29: if let it = entry(field.bytes) { sequences[row].annotationStrings.insert(it) }
      case 5: if let it = entry(field.bytes) { sequences[row].stacks.functions.insert(it) }
      case 16: if let it = entry(field.bytes, isBuildID: true) { sequences[row].stacks.buildIDs.insert(it) }
      case 18: if let it = entry(field.bytes) { sequences[row].stacks.files.insert(it) }
      case 17: if let it = entry(field.bytes) { sequences[row].stacks.pathComponents.insert(it) }
      case 6: sequences[row].stacks.addFrame(field.bytes)
      case 7: sequences[row].stacks.addStack(field.bytes)
      case 19: sequences[row].stacks.addMapping(field.bytes, &builder)
      case 47: gpu.addDescriptor(field.bytes, sequences[row].id, &builder)
      default: break
      }
    }
    if fields.isMalformed { report("interned data that is not protobuf") }
  }

  /// An interned string: {iid = 1, name or str = 2}. A build id is bytes.
  private mutating func entry(
    _ message: UnsafeRawBufferPointer, isBuildID: Bool = false
  ) -> (id: UInt64, string: StringID)? {
    var id: UInt64 = 0
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var fields = ProtobufFields(message)
    while let field = fields.next() {
      switch (field.number, field.wire) {
      case (1, 0): id = field.value
      case (2, 2): bytes = field.bytes
      default: break
      }
    }
    if id == 0 || fields.isMalformed { return nil }
    return (id, isBuildID ? builder.string(joined: bytes.buildID) : builder.string(utf8: bytes))
  }
}
