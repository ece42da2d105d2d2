// SPDX-License-Identifier: Apache-2.0

/// One frame of a stack to write.
package struct StackFrame: Hashable, Sendable {
  package var function: String
  /// Path of the image, empty if not known.
  package var image: String
  /// The image's build id, hexadecimal, empty if not known.
  package var buildID: String
  /// Address in the image's file (address at run time − load bias). For a caller, it is inside the call instruction.
  package var address: UInt64
  /// Source file and line, empty and 0 if not known.
  package var file: String
  package var line: UInt32

  package init(
    function: String = "", image: String = "", buildID: String = "", address: UInt64 = 0, file: String = "",
    line: UInt32 = 0
  ) {
    self.function = function
    self.image = image
    self.buildID = buildID
    self.address = address
    self.file = file
    self.line = line
  }
}

/// The data that a sequence has interned for its stacks (`InternedData`: functions, frames, call stacks, mappings).
struct InternedStacks: Sendable {
  private struct Mapping: Hashable {
    var image: String
    var buildID: String
  }

  private var functions: [String: UInt64] = [:]
  private var paths: [String: UInt64] = [:]
  private var buildIDs: [String: UInt64] = [:]
  private var files: [String: UInt64] = [:]
  private var mappings: [Mapping: UInt64] = [:]
  private var frames: [StackFrame: UInt64] = [:]
  private var stacks: [[UInt64]: UInt64] = [:]

  /// The id of a stack; 0 for an empty one. New data is written to `interned`.
  mutating func intern(_ stack: [StackFrame], _ interned: inout ProtobufWriter) -> UInt64 {
    if stack.isEmpty { return 0 }
    let ids = stack.map { frame($0, &interned) }
    return Self.id(ids, &stacks) { id in
      interned.message(7) {
        $0.varint(1, id)
        for frame in ids { $0.varint(2, frame) }
      }
    }
  }

  private mutating func frame(_ frame: StackFrame, _ interned: inout ProtobufWriter) -> UInt64 {
    if let known = frames[frame] { return known }
    let function = Self.id(ofString: frame.function, 5, &functions, &interned)
    let mapping = mapping(Mapping(image: frame.image, buildID: frame.buildID), &interned)
    let file = Self.id(ofString: frame.file, 18, &files, &interned)
    return Self.id(frame, &frames) { id in
      interned.message(6) {
        $0.varint(1, id)
        if function != 0 { $0.varint(2, function) }
        $0.varint(3, mapping)
        $0.varint(4, frame.address)
        if file != 0 { $0.varint(5, file) }
        if frame.line > 0 { $0.varint(6, UInt64(frame.line)) }
      }
    }
  }

  private mutating func mapping(_ mapping: Mapping, _ interned: inout ProtobufWriter) -> UInt64 {
    if let known = mappings[mapping] { return known }
    let buildID = Self.id(ofString: mapping.buildID, 16, &buildIDs, &interned)
    let components = mapping.image.split(separator: "/", omittingEmptySubsequences: true).map {
      Self.id(ofString: String($0), 17, &paths, &interned)
    }
    return Self.id(mapping, &mappings) { id in
      interned.message(19) {
        $0.varint(1, id)
        if buildID != 0 { $0.varint(2, buildID) }
        for component in components { $0.varint(7, component) }
      }
    }
  }

  private static func id<Key: Hashable>(_ key: Key, _ table: inout [Key: UInt64], write: (UInt64) -> Void) -> UInt64 {
    if let known = table[key] { return known }
    let id = UInt64(table.count + 1)
    table[key] = id
    write(id)
    return id
  }

  /// The id of a string in one of a sequence's tables; 0 for an empty one. A new one is written to `interned`.
  static func id(
    ofString string: String, _ field: Int, _ table: inout [String: UInt64], _ interned: inout ProtobufWriter
  ) -> UInt64 {
    if string.isEmpty { return 0 }
    return id(string, &table) { id in
      interned.message(field) { entry in
        entry.varint(1, id)
        if field == 16 {
          string.hexadecimalBytes.withUnsafeBytes { entry.bytes(2, $0) }
        } else {
          entry.string(2, string)
        }
      }
    }
  }
}

extension String {
  /// The bytes of this hexadecimal string. Other characters are ignored.
  package var hexadecimalBytes: [UInt8] {
    let digits: [Int] = utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { place in
      let value: Int = digits[place] * 16 + digits[place + 1]
      return UInt8(value)
    }
  }
}
