// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct TraceTailTests {
  /// A length-delimited field.
  private func field(_ number: UInt64, _ content: [UInt8], lengthBytes: Int = 1) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count), paddedTo: lengthBytes) + content
  }

  private func varint(_ value: UInt64, paddedTo size: Int = 1) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    repeat {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    } while rest != 0
    while bytes.count < size { bytes.append(0x80) }
    bytes[bytes.count - 1] &= 0x7f
    return bytes
  }

  private func end(_ bytes: [UInt8]) throws -> Int {
    let directory = try TemporaryDirectory()
    let file = open(try directory.write(bytes, to: "trace"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    return Int(TraceTail.end(of: file))
  }

  @Test func fillersAtTheEndGo() throws {
    let packets = field(1, [1, 2, 3]) + field(15, [0, 0]) + field(1, [4])
    #expect(try end(packets) == packets.count)
    #expect(try end(packets + field(15, [UInt8](repeating: 0, count: 300), lengthBytes: 5)) == packets.count)
    #expect(try end(field(15, [0]) + field(15, [])) == 0)
    #expect(try end([]) == 0)
  }

  @Test func whatIsBrokenAtTheEndGoes() throws {
    let packets = field(1, [1, 2, 3])
    #expect(try end(packets + [0x0a, 0x05, 1, 2]) == packets.count)
    #expect(try end(packets + [0x0a]) == packets.count)
    #expect(try end(packets + [0, 0, 0, 0]) == packets.count)
    #expect(try end(packets + [0x0a] + [UInt8](repeating: 0xff, count: 12)) == packets.count)
    // A length of 2⁶⁴ − 1.
    #expect(try end(packets + [0x0a] + [UInt8](repeating: 0xff, count: 9) + [1]) == packets.count)
  }

  @Test func randomFilesEndBehindTheirLastPacket() throws {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      var expected = 0
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let isFiller = Bool.random(using: &random)
        let size = Int.random(in: 0...(Int.random(in: 0...20, using: &random) == 0 ? 200_000 : 60), using: &random)
        bytes += field(
          isFiller ? 15 : 1, [UInt8](repeating: 0x7a, count: size), lengthBytes: Int.random(in: 1...5, using: &random))
        if !isFiller { expected = bytes.count }
      }
      #expect(try end(bytes) == expected)
    }
  }

  @Test func aSparseFileOfGigabytesIsNotReadThrough() throws {
    let directory = try TemporaryDirectory()
    let packets = field(1, [1, 2, 3])
    let size = 8 << 30
    // The filler's header is 6 bytes: a tag and a length of 5.
    let path = try directory.write(packets + varint(15 << 3 | 2) + varint(UInt64(size - 6), paddedTo: 5), to: "trace")
    #expect(truncate(path, off_t(packets.count + size)) == 0)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(Int(TraceTail.end(of: file)) == packets.count)
  }
}
