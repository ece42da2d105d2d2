// SPDX-License-Identifier: Apache-2.0

extension Trace {
  /// The name of a row of `stacks`: the function, or its address if the name is unknown.
  package func name(ofFrame row: Int) -> String {
    let frame = stacks[row]
    let function = strings[StringID(rawValue: frame.function)]
    if !function.isEmpty { return function }
    let file = Self.fileName(ofImage: strings[StringID(rawValue: frame.image)])
    // A file may give a long name to the image of a million addresses.
    return (Self.short(file) ?? file) + "+0x" + String(frame.address, radix: 16)
  }

  /// Whether `name(ofFrame:)` is an address, because the function has no name that is known.
  package static func isAddress(_ name: String) -> Bool { name.contains("+0x") }

  /// The name of a row of `stacks`, or of a tree, that is the same in other launches. Code that was compiled at run time is
  /// in no file, and at other addresses in each launch.
  package static func nameInSeries(_ name: String) -> String {
    ["[compiled]", "unknown"].first { name.hasPrefix($0 + "+0x") } ?? name
  }

  /// The first 64 bytes of a name that many rows of a crafted file may share; nil if it is not longer.
  static func short(_ name: String) -> String? {
    name.utf8.count > 64 ? String(decoding: name.utf8.prefix(64), as: UTF8.self) + "…" : nil
  }

  /// The file's name of an image, `unknown` without one; the end of one that is longer than any system allows.
  package static func fileName(ofImage path: String) -> String {
    let name = path.utf8.suffix(256).split(separator: UInt8(ascii: "/")).last
    return name.map { String(decoding: $0, as: UTF8.self) } ?? "unknown"
  }
}
