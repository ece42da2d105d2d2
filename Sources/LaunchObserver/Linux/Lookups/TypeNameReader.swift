// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols

/// Names of types, read from the metadata that a process has of them (Swift's ABI/Metadata.h).
struct TypeNameReader {
  private var contexts: ContextReader
  private var memory: ProcessMemory {
    get { contexts.memory }
    set { contexts.memory = newValue }
  }

  init(_ memory: ProcessMemory) { contexts = ContextReader(memory) }

  private enum Kind {
    static let `class`: UInt64 = 0
    static let structure: UInt64 = 0x200
    static let enumeration: UInt64 = 0x201
    static let optional: UInt64 = 0x202
    static let foreignClass: UInt64 = 0x203
    static let tuple: UInt64 = 0x301
    static let function: UInt64 = 0x302
    static let existential: UInt64 = 0x303
    static let metatype: UInt64 = 0x304
    static let existentialMetatype: UInt64 = 0x306
  }

  /// The deepest nesting of types, and the largest number of parts. Longer names are not readable.
  private static let deepest = 6
  private static let mostParts: UInt64 = 16
  private static let packParameter: UInt8 = 1
  private static let valueParameter: UInt8 = 2

  // MARK: Protocols

  /// By its descriptor.
  mutating func protocolName(_ descriptor: UInt64) -> String? { contexts.context(at: descriptor)?.name }

  // MARK: Types

  /// By its metadata.
  mutating func typeName(_ metadata: UInt64, depth: Int = 0) -> String? {
    guard depth < Self.deepest, metadata & 7 == 0, let kind = memory.integer(UInt64.self, at: metadata) else {
      return nil
    }
    switch kind {
    case Kind.class:
      return memory.integer(UInt64.self, at: metadata &+ 40).flatMap { nominal($0, metadata, isClass: true, depth) }
    case Kind.structure, Kind.enumeration, Kind.optional, Kind.foreignClass:
      return memory.integer(UInt64.self, at: metadata &+ 8).flatMap { nominal($0, metadata, isClass: false, depth) }
    case Kind.tuple: return tuple(metadata, depth)
    case Kind.function: return function(metadata, depth)
    case Kind.existential: return existential(metadata)
    case Kind.metatype, Kind.existentialMetatype:
      return memory.integer(UInt64.self, at: metadata &+ 8).flatMap { typeName($0, depth: depth + 1) }.map {
        "\($0).Type"
      }
    default: return nil
    }
  }

  private mutating func nominal(_ descriptor: UInt64, _ metadata: UInt64, isClass: Bool, _ depth: Int) -> String? {
    guard let name = contexts.context(at: descriptor)?.name else { return nil }
    let arguments = arguments(of: descriptor, metadata, isClass: isClass, depth)
    return arguments.isEmpty ? name : "\(name)<\(arguments.joined(separator: ", "))>"
  }

  /// The arguments of a generic type; empty if they cannot be read.
  private mutating func arguments(of descriptor: UInt64, _ metadata: UInt64, isClass: Bool, _ depth: Int) -> [String] {
    guard let flags = memory.integer(UInt32.self, at: descriptor), flags & 0x80 != 0,
      let first = firstArgument(of: descriptor, metadata, isClass: isClass, flags)
    else { return [] }
    // After two references for the instantiation: the numbers of parameters, requirements and so on.
    let header = descriptor &+ (isClass ? 44 : 28) &+ 8
    guard let count = memory.integer(UInt16.self, at: header), count <= Self.mostParts,
      let parameters = memory.bytes(at: header &+ 8, count: Int(count))
    else { return [] }
    // The metadata has an argument for each key parameter. If there are packs, their lengths come before.
    let keys = parameters.filter { $0 & 0x80 != 0 }.map { $0 & 0x3f }
    guard !keys.contains(Self.packParameter) else { return [] }
    return keys.enumerated().map { place, kind in
      guard let value = memory.integer(UInt64.self, at: first &+ UInt64(place) * 8) else { return "_" }
      if kind == Self.valueParameter { return "\(Int64(bitPattern: value))" }
      return typeName(value, depth: depth + 1) ?? "_"
    }
  }

  /// Where in the metadata the arguments begin.
  private mutating func firstArgument(
    of descriptor: UInt64, _ metadata: UInt64, isClass: Bool, _ flags: UInt32
  ) -> UInt64? {
    guard isClass else { return metadata &+ 16 }
    // With a superclass of another library, only the runtime knows how large that one is.
    guard flags & 1 << 29 == 0 else { return nil }
    if flags & 1 << 28 != 0 {
      return memory.integer(UInt32.self, at: descriptor &+ 24).map { metadata &- UInt64($0) * 8 }
    }
    guard let size = memory.integer(UInt32.self, at: descriptor &+ 28),
      let own = memory.integer(UInt32.self, at: descriptor &+ 32), own <= size
    else { return nil }
    return metadata &+ UInt64(size - own) * 8
  }

  private mutating func tuple(_ metadata: UInt64, _ depth: Int) -> String? {
    guard let count = memory.integer(UInt64.self, at: metadata &+ 8), count <= Self.mostParts else { return nil }
    let parts = (0..<count).map { place in
      memory.integer(UInt64.self, at: metadata &+ 24 &+ place * 16).flatMap { typeName($0, depth: depth + 1) } ?? "_"
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  private mutating func function(_ metadata: UInt64, _ depth: Int) -> String? {
    guard let flags = memory.integer(UInt64.self, at: metadata &+ 8), flags & 0xffff <= Self.mostParts else {
      return nil
    }
    let types = (0...flags & 0xffff).map { place in
      memory.integer(UInt64.self, at: metadata &+ 16 &+ place * 8).flatMap { typeName($0, depth: depth + 1) } ?? "_"
    }
    return "(\(types.dropFirst().joined(separator: ", "))) -> \(types[0])"
  }

  /// `any P & Q`, of which only the protocols are named.
  private mutating func existential(_ metadata: UInt64) -> String? {
    guard let flags = memory.integer(UInt32.self, at: metadata &+ 8),
      let count = memory.integer(UInt32.self, at: metadata &+ 12), count <= Self.mostParts
    else { return nil }
    // A superclass comes before the protocols.
    let first = metadata &+ (flags & 1 << 30 != 0 ? 24 : 16)
    let names = (0..<UInt64(count)).map { place in
      memory.integer(UInt64.self, at: first &+ place * 8).flatMap { protocolName($0 & ~1) } ?? "_"
    }
    // The bit is clear where only classes conform.
    if names.isEmpty { return flags & 1 << 31 != 0 ? "Any" : "AnyObject" }
    return "any " + names.joined(separator: " & ")
  }

  // MARK: Mangled names

  /// The type that a mangled name is for. In it, a reference to a descriptor is a byte and an offset.
  mutating func name(ofMangled address: UInt64, length: UInt64) -> String? {
    guard length > 0, length <= Self.longestName, let bytes = memory.bytes(at: address, count: Int(length)) else {
      return nil
    }
    var (mangled, references, at) = ("$s", [String](), 0)
    var isPlain = true
    while at < bytes.count {
      let byte = bytes[at]
      guard (1...0x1f).contains(byte) else {
        // Substitutions count what came before, in which references have another number of parts.
        if byte == UInt8(ascii: "A") { isPlain = false }
        mangled.unicodeScalars.append(Unicode.Scalar(byte))
        at += 1
        continue
      }
      let place = address &+ UInt64(at) &+ 1
      guard at + 4 < bytes.count, byte == 1 || byte == 2,
        let descriptor = descriptor(byte, at: place), let context = contexts.context(at: descriptor)
      else { return nil }
      mangled += context.mangledName
      references.append(context.name)
      at += 5
    }
    let type = mangled + "D"
    let name = Demangler.demangle(type)
    if name != type, isPlain || references.isEmpty { return name }
    return references.isEmpty ? nil : references.joined(separator: ", ")
  }

  private static let longestName: UInt64 = 1024

  /// What a reference in a mangled name is to: a context directly (1), or by a pointer (2).
  private mutating func descriptor(_ kind: UInt8, at place: UInt64) -> UInt64? {
    guard let target = memory.direct(at: place) else { return nil }
    return kind == 1 ? target : memory.integer(UInt64.self, at: target)
  }
}
