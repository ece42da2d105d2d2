#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where Swift's runtime initialises what is initialised once.
extension ELFFile {
  /// `once_slow` of Swift's threading library: `swift_once` jumps there as long as something is not initialised yet, and the
  /// runtime itself calls it without `swift_once`. libswiftCore and libswift_Concurrency have a copy each.
  private static let onceFunction = "_ZN5swift14threading_impl9once_slowERNS0_6once_tEPFvPvES3_"

  /// The file's offset of the function, which gets the token and the initialiser; nil in a file that has no copy of it, or none
  /// that is found.
  package var onceOffset: UInt64? {
    // A file whose section headers are stripped may have anything in it.
    guard sections.isEmpty || hasSection(prefix: "swift5_") else { return nil }
    let isStripped = !sections.contains { $0.type == SectionType.symbols }
    return (address(ofFunction: Self.onceFunction) ?? (isStripped ? onceByCode : nil)).flatMap(offset(ofAddress:))
  }

  /// The file's offset of what stands at a virtual address; nil when no segment has it.
  package func offset(ofAddress address: UInt64) -> UInt64? {
    segments.first { address >= $0.address && address - $0.address < $0.fileSize }.map {
      $0.offset &+ (address - $0.address)
    }
  }

  /// push %rbp; mov %rsp,%rbp; mov (%rdi),%eax; test %eax,%eax; js; pop %rbp; jmp once_slow; pop %rbp; ret
  private static let onceCode: [UInt8] = [0x55, 0x48, 0x89, 0xe5, 0x8b, 0x07, 0x85, 0xc0, 0x78]
  /// Behind it: where `js` goes, `pop`, `jmp` and where to.
  private static let onceLength = 18

  /// By the instructions of `swift_once`.
  private var onceByCode: UInt64? {
    guard machine == 62 else { return nil }
    for segment in segments {
      guard let content = bytes[segment.offset, segment.fileSize] else { continue }
      let found = content.withBytes { code -> Int? in
        var start = 0
        while let place = Self.first(Self.onceCode[0], in: code, from: start) {
          if let target = Self.onceTarget(code, at: place) { return target }
          start = place + 1
        }
        return nil
      }
      if let found { return segment.address &+ UInt64(found) }
    }
    return nil
  }

  /// Where the jump of a `swift_once` at `place` goes; nil if that is something else.
  private static func onceTarget(_ code: UnsafeRawBufferPointer, at place: Int) -> Int? {
    guard place + onceLength <= code.count, code[place..<place + onceCode.count].elementsEqual(onceCode),
      code[place + 10] == 0x5d, code[place + 11] == 0xe9,
      code[place + 16] == 0x5d, code[place + 17] == 0xc3
    else { return nil }
    let distance = Int32(littleEndian: code.loadUnaligned(fromByteOffset: place + 12, as: Int32.self))
    let target = place + 16 + Int(distance)
    return code.indices.contains(target) ? target : nil
  }

  private static func first(_ byte: UInt8, in code: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = code.baseAddress, start < code.count,
      let found = memchr(base + start, Int32(byte), code.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
