// SPDX-License-Identifier: Apache-2.0

/// Names of what Swift's context descriptors describe: modules, types, protocols (Swift's ABI/Metadata.h).
struct ContextReader {
  /// A type, a protocol or a module.
  struct Context: Equatable {
    /// `app.Outer.Inner`
    var name: String
    /// As the compiler mangles it: `3app5OuterV5InnerV`
    var mangledName: String
  }

  var memory: ProcessMemory
  private var known: [UInt64: Context?] = [:]

  private enum Kind {
    static let module: UInt32 = 0
    static let `extension`: UInt32 = 1
    static let anonymous: UInt32 = 2
    static let `protocol`: UInt32 = 3
    static let types: ClosedRange<UInt32> = 16...18
  }

  /// Modules that the mangling abbreviates.
  private static let abbreviations = ["Swift": "s", "__C": "So", "__C_Synthesized": "SC"]
  private static let operators: [UInt32: String] = [3: "P", 16: "C", 17: "V", 18: "O"]
  private static let deepest = 16

  init(_ memory: ProcessMemory) { self.memory = memory }

  /// nil if it is not such a descriptor.
  mutating func context(at descriptor: UInt64, depth: Int = 0) -> Context? {
    if let context = known[descriptor] { return context }
    let context = depth < Self.deepest ? read(descriptor, depth: depth) : nil
    known[descriptor] = .some(context)
    return context
  }

  private mutating func read(_ descriptor: UInt64, depth: Int) -> Context? {
    guard let flags = memory.integer(UInt32.self, at: descriptor) else { return nil }
    let kind = flags & 31
    switch kind {
    case Kind.module:
      guard let name = name(at: descriptor) else { return nil }
      return Context(name: name, mangledName: Self.abbreviations[name] ?? "\(name.utf8.count)\(name)")
    // These have no name of their own: names of their members continue with the parent's.
    case Kind.extension, Kind.anonymous: return parent(of: descriptor, depth: depth)
    case Kind.protocol, Kind.types:
      guard let parent = parent(of: descriptor, depth: depth), let name = name(at: descriptor) else { return nil }
      return Context(
        name: "\(parent.name).\(name)",
        mangledName: "\(parent.mangledName)\(name.utf8.count)\(name)\(Self.operators[kind] ?? "")")
    default: return nil
    }
  }

  private mutating func parent(of descriptor: UInt64, depth: Int) -> Context? {
    memory.indirectable(at: descriptor &+ 4).flatMap { context(at: $0, depth: depth + 1) }
  }

  private mutating func name(at descriptor: UInt64) -> String? {
    memory.direct(at: descriptor &+ 8).flatMap { memory.text(at: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
