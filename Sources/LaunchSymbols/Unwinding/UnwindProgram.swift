// SPDX-License-Identifier: Apache-2.0

/// Runs the instructions of a table entry up to a place in the code (DWARF 5, 6.4.2). Each instruction takes a byte at least, so the
/// time is proportional to the entry's size.
struct UnwindProgram {
  private let common: UnwindEntry.Common
  private let target: UInt64
  private var location: UInt64
  private(set) var rule = UnwindRule()
  private var initial = UnwindRule()
  private var remembered: [UnwindRule] = []

  /// Compilers remember one row.
  private static let mostRemembered = 64

  /// The rule for an instruction of an entry's function; nil if the entry is broken.
  static func rule(of entry: UnwindEntry, at target: UInt64) -> UnwindRule? {
    var program = UnwindProgram(entry, target)
    guard program.run(entry.common.instructions) else { return nil }
    program.initial = program.rule
    return program.run(entry.instructions) ? program.rule : nil
  }

  private init(_ entry: UnwindEntry, _ target: UInt64) {
    common = entry.common
    location = entry.start
    self.target = target
    rule.saved = [UnwindRule.Saved](repeating: .same, count: UnwindRule.registerCount)
    rule.returnRegister = common.returnRegister
    rule.isOfSignal = common.isOfSignal
  }

  private mutating func run(_ instructions: ByteRange) -> Bool {
    var cursor = ByteCursor(instructions)
    while !cursor.isAtEnd, location <= target {
      let code = cursor.read(UInt8.self)
      let low = UInt64(code & 0x3f)
      switch code >> 6 {
      case 1: advance(low)
      case 2: save(low, .inFrame(factored(cursor.unsigned())))
      case 3: restore(low)
      default: if !runExtended(code, &cursor) { return false }
      }
    }
    return !cursor.isBroken
  }

  private mutating func runExtended(_ code: UInt8, _ cursor: inout ByteCursor) -> Bool {
    switch code {
    case 0x00: break
    case 0x01:
      guard let address = common.readAddress?(&cursor) else { return false }
      location = address
    case 0x02: advance(UInt64(cursor.read(UInt8.self)))
    case 0x03: advance(UInt64(cursor.read(UInt16.self)))
    case 0x04: advance(UInt64(cursor.read(UInt32.self)))
    case 0x06: restore(cursor.unsigned())
    case 0x0a:
      guard remembered.count < Self.mostRemembered else { return false }
      remembered.append(rule)
    case 0x0b:
      guard let last = remembered.popLast() else { return false }
      rule = last
    case 0x0c...0x0f, 0x12, 0x13: return defineFrame(code, &cursor)
    // With 0x2c, the signature also depends on the place of the code.
    case 0x2c, 0x2d: rule.isReturnSigned.toggle()
    // GNU_args_size: for those who throw.
    case 0x2e: _ = cursor.unsigned()
    default: return saveExtended(code, &cursor)
    }
    return true
  }

  /// DW_CFA_def_cfa…
  private mutating func defineFrame(_ code: UInt8, _ cursor: inout ByteCursor) -> Bool {
    switch code {
    case 0x0c:
      rule.frame = .register(Self.number(cursor.unsigned()), offset: Int64(truncatingIfNeeded: cursor.unsigned()))
    case 0x12: rule.frame = .register(Self.number(cursor.unsigned()), offset: factored(cursor.signed()))
    case 0x0f:
      guard let expression = Self.expression(&cursor) else { return false }
      rule.frame = .expression(expression)
    default:
      guard case .register(let register, let offset) = rule.frame else { return false }
      switch code {
      case 0x0d: rule.frame = .register(Self.number(cursor.unsigned()), offset: offset)
      case 0x0e: rule.frame = .register(register, offset: Int64(truncatingIfNeeded: cursor.unsigned()))
      default: rule.frame = .register(register, offset: factored(cursor.signed()))
      }
    }
    return true
  }

  private mutating func saveExtended(_ code: UInt8, _ cursor: inout ByteCursor) -> Bool {
    let register = cursor.unsigned()
    switch code {
    case 0x05: save(register, .inFrame(factored(cursor.unsigned())))
    case 0x07: save(register, .undefined)
    case 0x08: save(register, .same)
    case 0x09: save(register, .register(Self.number(cursor.unsigned())))
    case 0x11: save(register, .inFrame(factored(cursor.signed())))
    case 0x14: save(register, .frame(factored(cursor.unsigned())))
    case 0x15: save(register, .frame(factored(cursor.signed())))
    case 0x2f: save(register, .inFrame(0 &- factored(cursor.unsigned())))
    case 0x10, 0x16:
      guard let expression = Self.expression(&cursor) else { return false }
      save(register, code == 0x10 ? .inMemory(expression) : .expression(expression))
    default: return false
    }
    return true
  }

  private mutating func advance(_ units: UInt64) { location = location &+ units &* common.codeAlignment }

  private mutating func save(_ register: UInt64, _ place: UnwindRule.Saved) {
    let register = Self.number(register)
    if rule.saved.indices.contains(register) { rule.saved[register] = place }
  }

  private mutating func restore(_ register: UInt64) {
    let register = Self.number(register)
    if initial.saved.indices.contains(register) { rule.saved[register] = initial.saved[register] }
  }

  private func factored(_ value: UInt64) -> Int64 { factored(Int64(truncatingIfNeeded: value)) }
  private func factored(_ value: Int64) -> Int64 { value &* common.dataAlignment }

  private static func number(_ register: UInt64) -> Int { Int(clamping: register) }

  private static func expression(_ cursor: inout ByteCursor) -> UnwindExpression? {
    let size = cursor.unsigned()
    guard size <= UnwindExpression.longest else { return nil }
    let code = Array(cursor.range(size).bytes)
    return cursor.isBroken ? nil : UnwindExpression(code: code)
  }
}
