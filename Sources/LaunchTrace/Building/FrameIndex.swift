/// Finds the row of a frame in a `StackTable`: an open hash table over the table's own columns.
struct FrameIndex: Sendable {
  /// Row + 1, 0 if free. The size is a power of two.
  private var slots: [Int32] = []
  /// Differs in each process, so that a file cannot be crafted to collide.
  private let seed = UInt64.random(in: .min ... .max)

  /// The row of a frame. A new frame is added. Two calls of one function from one caller have the same row.
  mutating func row(caller: Int32, _ frame: StackTable.Frame, in table: inout StackTable) -> Int32 {
    if table.count * 2 >= slots.count { grow(table) }
    var slot = self.slot(caller, frame.function, frame.image, frame.address)
    while slots[slot] != 0 {
      let row = Int(slots[slot] - 1)
      if table.caller[row] == caller, table.function[row] == frame.function, table.image[row] == frame.image,
        table.address[row] == frame.address, table.buildID[row] == frame.buildID, table.line[row] == frame.line
      {
        return slots[slot] - 1
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    table.append(caller: caller, frame)
    slots[slot] = Int32(truncatingIfNeeded: table.count)
    return slots[slot] - 1
  }

  private func slot(_ caller: Int32, _ function: UInt32, _ image: UInt32, _ address: UInt64) -> Int {
    var state = seed ^ (UInt64(UInt32(bitPattern: caller)) << 32 | UInt64(function))
    state = Self.mix(state)
    state = Self.mix(state ^ address ^ UInt64(image) << 20)
    return Int(truncatingIfNeeded: state) & (slots.count - 1)
  }

  private mutating func grow(_ table: StackTable) {
    slots = [Int32](repeating: 0, count: max(256, slots.count * 2))
    for row in 0..<table.count {
      var slot = self.slot(table.caller[row], table.function[row], table.image[row], table.address[row])
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: row + 1)
    }
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}
