/// Finds the node of (parent, name): an open hash table, since a `Dictionary` is the greater part of a report's time.
struct PathIndex {
  private var keys: [UInt64]
  private var nodes: [Int32]
  private var count = 0

  init() {
    keys = [UInt64](repeating: 0, count: 256)
    nodes = [Int32](repeating: -1, count: 256)
  }

  /// The node of `name` below `parent`; made by `add` when it is new.
  @inline(__always)
  mutating func node(below parent: Int32, name: UInt32, or add: () -> Int32) -> Int32 {
    let key = UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(name)
    var slot = Self.slot(key, size: keys.count)
    while nodes[slot] >= 0 {
      if keys[slot] == key { return nodes[slot] }
      slot = (slot + 1) & (keys.count - 1)
    }
    let node = add()
    keys[slot] = key
    nodes[slot] = node
    count += 1
    if count * 2 > keys.count { grow() }
    return node
  }

  /// Of this process, so that no file can be made to collide.
  private static let seed = UInt64.random(in: .min ... .max)

  private static func slot(_ key: UInt64, size: Int) -> Int {
    let product = (key ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return Int(truncatingIfNeeded: product.high ^ product.low) & (size - 1)
  }

  private mutating func grow() {
    let (oldKeys, oldNodes) = (keys, nodes)
    keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
    nodes = [Int32](repeating: -1, count: oldKeys.count * 2)
    for (key, node) in zip(oldKeys, oldNodes) where node >= 0 {
      var slot = Self.slot(key, size: keys.count)
      while nodes[slot] >= 0 { slot = (slot + 1) & (keys.count - 1) }
      keys[slot] = key
      nodes[slot] = node
    }
  }
}
