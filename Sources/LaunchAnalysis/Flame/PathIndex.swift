/// Finds the node of (parent, name) among the rows of a tree. It is an open hash table of row numbers. A `Dictionary`
/// would take the greater part of a report's time and memory.
struct PathIndex {
  /// Row + 1 in the lower half, the hash in the upper half; 0 if free. The size is a power of two.
  private var slots = [UInt64](repeating: 0, count: 256)
  private var count = 0

  /// Random for each process, so that no file can force collisions.
  private static let seed = UInt64.random(in: .min ... .max)

  /// The node of `name` below `parent`. If there is none, `add` makes it.
  ///
  /// - Parameter isSame: tells whether a node is the one of `name` below `parent`.
  @inline(__always)
  mutating func node(
    below parent: Int32, name: UInt32, isSame: (Int32) -> Bool, or add: () -> Int32
  ) -> Int32 {
    let hash = Self.hash(below: parent, name: name)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let node = Int32(truncatingIfNeeded: slots[slot] & 0xffff_ffff) &- 1
      if slots[slot] >> 32 == hash, isSame(node) { return node }
      slot = (slot + 1) & (slots.count - 1)
    }
    let node = add()
    slots[slot] = hash << 32 | UInt64(UInt32(bitPattern: node &+ 1))
    count += 1
    if count * 4 > slots.count * 3 { grow() }
    return node
  }

  /// 32 bits, which are stored in the entry, so that the table can grow without comparing names.
  @inline(__always)
  private static func hash(below parent: Int32, name: UInt32) -> UInt64 {
    let key = UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(name)
    let product = (key ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return (product.high ^ product.low) >> 32
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
