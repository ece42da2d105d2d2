// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import TestSupport
import Testing

struct PropertyListTests {
  private static let samples: [PropertyList] = [
    "", "déjà vu 日本語", 0, -1, PropertyList.integer(.min), 0.5, .real(.infinity), true, false, .data([]),
    .data([0, 255]), [], ["a", 1, ["b", [:]]], [:], ["a": ["b": ["c": .data([1, 2, 3])]], "": false],
  ]

  @Test(arguments: samples) func whatIsWrittenIsRead(value: PropertyList) {
    #expect(PropertyList(encoded: value.encoded()) == value)
  }

  @Test func equalValuesHaveEqualBytes() {
    let first: PropertyList = ["a": 1, "b": 2, "c": 3]
    let second: PropertyList = ["c": 3, "b": 2, "a": 1]
    #expect(first.encoded() == second.encoded())
  }

  @Test func brokenBytesAreNil() {
    var generator = SeededGenerator()
    for value in Self.samples {
      let bytes = value.encoded()
      for count in 0..<bytes.count { #expect(PropertyList(encoded: bytes.prefix(count)) == nil) }
      #expect(PropertyList(encoded: bytes + [0]) == nil)
      for _ in 0..<200 {
        var mutated = bytes
        mutated[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        // Whatever the decoder takes it for, it ends, and uses limited memory.
        _ = PropertyList(encoded: mutated)
      }
    }
    // Excessive lengths, and endless nesting.
    #expect(PropertyList(encoded: [UInt8(ascii: "s")] + [UInt8](repeating: 255, count: 8)) == nil)
    #expect(PropertyList(encoded: [UInt8(ascii: "a")] + [UInt8](repeating: 255, count: 8)) == nil)
    let nested = [UInt8](String(repeating: "a\u{1}\0\0\0\0\0\0\0", count: 10_000).utf8)
    #expect(PropertyList(encoded: nested) == nil)
    // A dictionary whose key is a dictionary, and so on.
    let keys = [UInt8](String(repeating: "d\u{1}\0\0\0\0\0\0\0", count: 500_000).utf8)
    #expect(PropertyList(encoded: keys) == nil)
  }

  @Test func deepNestingIsCutAndStillRead() {
    var value: PropertyList = "core"
    for _ in 0..<1_000 { value = [value] }
    #expect(PropertyList(encoded: value.encoded()) != nil)
    #expect(value.description.hasSuffix("]"))
  }
}
