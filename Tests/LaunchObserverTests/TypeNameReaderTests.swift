// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchObserver

/// Names of types in the memory of a process: this one's metadata is real, and what is broken is made up.
struct TypeNameReaderTests {
  private struct Plain {}
  private struct Box<Value> { var value: Value? }
  private final class Holder<Key: Hashable, Value> { var values: [Key: Value] = [:] }
  private enum Choice { case none }
  private protocol Named {}

  private func reader() -> TypeNameReader { TypeNameReader(ProcessMemory(of: ProcessInfo.own)) }

  private enum ProcessInfo { static let own = getpid() }

  private func name(_ type: Any.Type) -> String? {
    var reader = reader()
    return reader.typeName(UInt64(UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))))
  }

  private static let outer = "LaunchObserverTests.TypeNameReaderTests"

  @Test func typesAreNamedAsInTheSource() {
    let outer = Self.outer
    #expect(name(Int.self) == "Swift.Int" && name([String: Int].self) == "Swift.Dictionary<Swift.String, Swift.Int>")
    #expect(name(Plain.self) == "\(outer).Plain" && name(Choice.self) == "\(outer).Choice")
    #expect(name(Box<Plain>.self) == "\(outer).Box<\(outer).Plain>")
    #expect(name(Holder<String, [Plain]>.self) == "\(outer).Holder<Swift.String, Swift.Array<\(outer).Plain>>")
    #expect(name((Int, Plain?).self) == "(Swift.Int, Swift.Optional<\(outer).Plain>)")
    #expect(
      name(((Int) -> String).self) == "(Swift.Int) -> Swift.String" && name(Plain.Type.self) == "\(outer).Plain.Type")
    #expect(
      name(Any.self) == "Any" && name(AnyObject.self) == "AnyObject" && name((any Error).self) == "any Swift.Error")
    #expect(name((any Named & Sendable).self) == "any \(outer).Named")
  }

  /// `1` and an offset is a reference to a descriptor.
  @Test func mangledNamesAreRead() throws {
    func name(_ parts: [UInt8], reference: Any.Type? = nil) throws -> String? {
      let metadata = UInt(bitPattern: unsafeBitCast(reference ?? Int.self, to: UnsafeRawPointer.self))
      let descriptor = try #require(UnsafePointer<UInt>(bitPattern: metadata + 8)).pointee
      // An offset has 32 bits: the name has to be near what it refers to, as only a made-up memory has it.
      let start = UInt64(descriptor) &- 0x4000_0000
      let offset = Int32(0x4000_0000 - 1 - parts.prefix { $0 != 1 }.count)
      let relative: [UInt8] = withUnsafeBytes(of: offset) { [1] + Array($0) }
      let bytes = parts.flatMap { $0 == 1 ? relative : [$0] }
      let page = start - start % 4096
      let real = ProcessMemory(of: ProcessInfo.own)
      var memory = real
      memory = ProcessMemory { address, count in
        var own = real
        guard address == page || address == page + 4096 else { return own.bytes(at: address, count: count) }
        return (0..<UInt64(count)).map { place in
          let offset = Int(Int64(bitPattern: address &+ place &- start))
          return bytes.indices.contains(offset) ? bytes[offset] : 0
        }
      }
      var reader = TypeNameReader(memory)
      return reader.name(ofMangled: start, length: UInt64(bytes.count))
    }
    #expect(try name(Array("SaySiG".utf8)) == "Swift.Array<Swift.Int>")
    #expect(
      try name(Array("Say".utf8) + [1] + Array("G".utf8), reference: Plain.self) == "Swift.Array<\(Self.outer).Plain>")
    #expect(try name([0xff, 0xfe]) == nil && name(Array("not mangled".utf8)) == nil && name([9, 0, 0, 0, 0]) == nil)
  }

  /// Whatever is in the memory: a name, or none, and an end.
  @Test func brokenMetadataHasNoName() {
    var generator = SystemRandomNumberGenerator()
    for kind: UInt64 in [0, 0x200, 0x201, 0x301, 0x302, 0x303, 0x304, 0x306, 0x7ff] {
      for _ in 0..<20 {
        // References into itself, and numbers of any size.
        let words = (0..<1024).map { _ in Bool.random() ? UInt64.random(in: 0..<8192) : generator.next() }
        let bytes = ([kind] + words).flatMap { word in withUnsafeBytes(of: word, Array.init) }
        var reader = TypeNameReader(
          ProcessMemory { address, count in
            address == 0 || address == 4096 ? Array(bytes[Int(address)...].prefix(count)) : nil
          })
        _ = reader.typeName(0)
        _ = reader.protocolName(8)
        _ = reader.name(ofMangled: 8, length: 64)
      }
    }
    var empty = TypeNameReader(ProcessMemory { _, _ in nil })
    #expect(empty.typeName(4096) == nil && empty.typeName(3) == nil && empty.protocolName(.max) == nil)
    #expect(empty.name(ofMangled: .max - 1, length: 8) == nil)
  }
}
