/// Breaks bytes in the ways in which files break, and in worse ones.
struct Mutator<Random: RandomNumberGenerator> {
  var random: Random

  /// What hurts readers: lengths, counts and signs at their ends, in the forms of all formats here.
  private static var snippets: [[UInt8]] {
    [
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0xff, 0xff, 0xff, 0xff, 0x0f], [0x80, 0x80, 0x00],
      [0x0a, 0x00], [0x0a, 0xff, 0xff, 0x03], [0x7a, 0x16], [0x00], [0xff],
    ]
      + [
        "-", "999999999999999999999", "1e999", "{", "}", "[", "]", "\"", "\\u", "\\ud800", ";", "\n", "\t", "0x", ",",
        ":",
      ]
      .map { Array($0.utf8) }
  }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...64, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.insert(contentsOf: Self.snippets.randomElement(using: &random) ?? [], at: place)
      case 3:
        let snippet = Self.snippets.randomElement(using: &random) ?? []
        bytes.replaceSubrange(place..<min(bytes.count, place + snippet.count), with: snippet)
      case 4: bytes.removeSubrange(place..<end)
      case 5: bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
      case 6: bytes.removeSubrange(place...)
      default: bytes[place..<end].shuffle(using: &random)
      }
    }
    return bytes
  }
}
