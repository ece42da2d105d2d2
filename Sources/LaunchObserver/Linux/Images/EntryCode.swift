// SPDX-License-Identifier: Apache-2.0

/// Finds `main` in the first instructions of a program. glibc's `_start` passes its address to
/// `__libc_start_main` as the first argument (sysdeps/x86_64/start.S, sysdeps/aarch64/start.S).
enum EntryCode {
  /// What the code passes.
  enum Function: Equatable {
    /// A virtual address.
    case at(UInt64)
    /// The content of a slot that the loader fills, at this virtual address. On arm64, this is usual in executables that the
    /// loader may put anywhere. On x86-64, most linkers replace it.
    case inSlot(UInt64)
  }

  /// The number of bytes of `_start` to examine.
  static let length: UInt64 = 64

  /// `main`; nil if the code does not match.
  static func main(_ code: [UInt8], at entry: UInt64, machine: UInt16) -> Function? {
    switch machine {
    case 62: x86(code, entry)
    case 183: arm(code, entry)
    default: nil
    }
  }

  private static func x86(_ code: [UInt8], _ entry: UInt64) -> Function? {
    func relative(_ at: Int) -> UInt64 { entry &+ UInt64(at + 7) &+ UInt64(bitPattern: Int64(signed(code, at + 3))) }
    // endbr64, and then xor %ebp,%ebp: other entries (musl, Go) begin otherwise.
    let body = code.starts(with: [0xf3, 0x0f, 0x1e, 0xfa]) ? 4 : 0
    guard code.dropFirst(body).starts(with: [0x31, 0xed]) else { return nil }
    for at in body..<max(body, code.count - 7) {
      switch (code[at], code[at + 1], code[at + 2]) {
      // lea main(%rip),%rdi
      case (0x48, 0x8d, 0x3d): return .at(relative(at))
      // mov slot(%rip),%rdi
      case (0x48, 0x8b, 0x3d): return .inSlot(relative(at))
      // mov $main,%rdi
      case (0x48, 0xc7, 0xc7): return .at(UInt64(bitPattern: Int64(signed(code, at + 3))))
      // call or hlt: the arguments are complete. mov $main,%edi is right before the call.
      case (0xff, 0x15, _), (0x67, 0xe8, _), (0xe8, _, _):
        return at >= 5 && code[at - 5] == 0xbf ? .at(UInt64(UInt32(bitPattern: signed(code, at - 4)))) : nil
      default: continue
      }
    }
    return nil
  }

  private static func arm(_ code: [UInt8], _ entry: UInt64) -> Function? {
    var page: UInt64?
    var absolute: UInt64 = 0
    for at in stride(from: 0, to: code.count - 3, by: 4) {
      let word = UInt32(bitPattern: signed(code, at))
      if word & 0x9f00_001f == 0x9000_0000 {
        // adrp x0
        let pages = Int64(Int32(bitPattern: (word >> 5 & 0x7ffff) << 13 | (word >> 29 & 3) << 11) >> 11)
        page = (entry &+ UInt64(at)) & ~0xfff &+ UInt64(bitPattern: pages << 12)
      } else if let page, word & 0xffc0_03ff == 0x9100_0000 {
        // add x0,x0,#low
        return .at(page &+ UInt64(word >> 10 & 0xfff))
      } else if let page, word & 0xffc0_03ff == 0xf940_0000 {
        // ldr x0,[x0,#low], in units of eight bytes
        return .inSlot(page &+ UInt64(word >> 10 & 0xfff) * 8)
      } else if word & 0xff80_001f == 0xd280_0000 {
        // movz x0,#part,lsl n
        absolute = UInt64(word >> 5 & 0xffff) << UInt64(16 * (word >> 21 & 3))
      } else if word & 0xff80_001f == 0xf280_0000 {
        // movk x0,#part,lsl n
        absolute |= UInt64(word >> 5 & 0xffff) << UInt64(16 * (word >> 21 & 3))
      } else if word & 0xfc00_0000 == 0x9400_0000 {
        // bl
        break
      }
    }
    return absolute != 0 ? .at(absolute) : nil
  }

  private static func signed(_ code: [UInt8], _ at: Int) -> Int32 {
    Int32(bitPattern: (0..<4).reduce(0) { $0 | UInt32(code[at + $1]) << UInt32(8 * $1) })
  }
}
