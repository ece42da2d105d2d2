// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Finds the function with which Swift's runtime initialises values once.
extension ELFFile {
  /// `once_slow` of Swift's threading library. `swift_once` jumps there while a value is not initialised yet, and the
  /// runtime itself calls it without `swift_once`. libswiftCore and libswift_Concurrency each have a copy.
  private static let onceFunction = "_ZN5swift14threading_impl9once_slowERNS0_6once_tEPFvPvES3_"

  /// The file offset of the function, whose arguments are the token and the initialiser. nil in a file without a copy,
  /// or if the copy is not found.
  package var onceOffset: UInt64? {
    // If the section headers are stripped, the file may contain anything.
    guard sections.isEmpty || hasSection(prefix: "swift5_") else { return nil }
    return (address(ofFunction: Self.onceFunction) ?? (hasSymbolTable ? nil : onceByCode)).flatMap(offset(ofAddress:))
  }

  /// The file offset of a virtual address; nil if no segment contains it.
  package func offset(ofAddress address: UInt64) -> UInt64? { rest(at: address)?.offset }

  /// push %rbp; mov %rsp,%rbp; mov (%rdi),%eax; test %eax,%eax; js; pop %rbp; jmp once_slow; pop %rbp; ret
  private static let onceCode: [UInt8] = [0x55, 0x48, 0x89, 0xe5, 0x8b, 0x07, 0x85, 0xc0, 0x78]
  /// The code after it: the target of `js`, `pop`, `jmp` and its target.
  private static let onceLength = 18

  /// Found by the instructions of `swift_once`.
  private var onceByCode: UInt64? {
    guard machine == 62 else { return nil }
    for segment in segments {
      guard let code = bytes[segment.offset, segment.fileSize]?.bytes else { continue }
      var start = 0
      while let place = code.firstPlace(of: Self.onceCode[0], from: start) {
        if let target = Self.onceTarget(code, at: place) { return segment.address &+ UInt64(target) }
        start = place + 1
      }
    }
    return nil
  }

  /// The target of the jump in a `swift_once` at `place`; nil if the code is something else.
  private static func onceTarget(_ code: UnsafeRawBufferPointer, at place: Int) -> Int? {
    guard place + onceLength <= code.count, code[place..<place + onceCode.count].elementsEqual(onceCode),
      code[place + 10] == 0x5d, code[place + 11] == 0xe9,
      code[place + 16] == 0x5d, code[place + 17] == 0xc3
    else { return nil }
    let distance = Int32(littleEndian: code.loadUnaligned(fromByteOffset: place + 12, as: Int32.self))
    let target = place + 16 + Int(distance)
    return code.indices.contains(target) ? target : nil
  }
}
