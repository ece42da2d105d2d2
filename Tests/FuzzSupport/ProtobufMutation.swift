// SPDX-License-Identifier: Apache-2.0

/// Changes a field of a protobuf message, at any depth. The lengths of the enclosing messages stay correct.
enum ProtobufMutation {
  private struct Field {
    var number: UInt64
    var wire: UInt64
    var value: UInt64 = 0
    var bytes: [UInt8] = []
  }

  private static let values: [UInt64] = [
    0, 1, 2, 3, 63, 64, 127, 1 << 31, 1 << 32, 1 << 52, 1 << 60, 1 << 61, 1 << 62, 1 << 63, .max,
    UInt64(bitPattern: -1000),
  ]

  /// nil if the bytes are not a message.
  static func mutate(_ bytes: [UInt8], using random: inout some RandomNumberGenerator, depth: Int = 0) -> [UInt8]? {
    guard var fields = fields(bytes), !fields.isEmpty else { return nil }
    let place = Int.random(in: 0..<fields.count, using: &random)
    // Mostly goes inwards: the outermost fields are packets.
    if fields[place].wire == 2, depth < 12, Int.random(in: 0..<8, using: &random) > 0,
      let inner = mutate(fields[place].bytes, using: &random, depth: depth + 1)
    {
      fields[place].bytes = inner
    } else {
      change(&fields, place, using: &random)
    }
    return fields.flatMap(encoded)
  }

  private static func change(_ fields: inout [Field], _ place: Int, using random: inout some RandomNumberGenerator) {
    let other = Int.random(in: 0..<fields.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: fields.remove(at: place)
    case 1: fields.insert(fields[place], at: other)
    case 2: fields.swapAt(place, other)
    case 3: fields[place].bytes = fields[other].bytes
    case 4: fields[place].number = UInt64.random(in: 1...140, using: &random)
    case 5: fields[place].value &+= UInt64(bitPattern: Int64.random(in: -1000...1000, using: &random))
    default: fields[place].value = values.randomElement(using: &random) ?? 0
    }
  }

  private static func fields(_ bytes: [UInt8]) -> [Field]? {
    var fields: [Field] = []
    var place = 0
    while place < bytes.count {
      guard let tag = varint(bytes, &place), tag >= 8 else { return nil }
      var field = Field(number: tag >> 3, wire: tag & 7)
      switch field.wire {
      case 0:
        guard let value = varint(bytes, &place) else { return nil }
        field.value = value
      case 1, 5:
        let size = field.wire == 1 ? 8 : 4
        guard bytes.count - place >= size else { return nil }
        for byte in (0..<size).reversed() { field.value = field.value << 8 | UInt64(bytes[place + byte]) }
        place += size
      case 2:
        guard let length = varint(bytes, &place), length <= UInt64(bytes.count - place) else { return nil }
        field.bytes = Array(bytes[place..<(place + Int(length))])
        place += Int(length)
      default: return nil
      }
      fields.append(field)
    }
    return fields
  }

  private static func varint(_ bytes: [UInt8], _ place: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func encoded(_ field: Field) -> [UInt8] {
    let tag = encoded(field.number << 3 | field.wire)
    switch field.wire {
    case 0: return tag + encoded(field.value)
    case 2: return tag + encoded(UInt64(field.bytes.count)) + field.bytes
    case let wire: return tag + (0..<(wire == 1 ? 8 : 4)).map { UInt8(truncatingIfNeeded: field.value >> ($0 * 8)) }
    }
  }

  private static func encoded(_ value: UInt64) -> [UInt8] {
    var (rest, bytes) = (value, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
