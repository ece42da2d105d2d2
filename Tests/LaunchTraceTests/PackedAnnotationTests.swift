// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchTrace

struct PackedAnnotationTests {
  private static let values: [AnnotationValue] = [
    .bool(true), .bool(false), .int(0), .int(-1), .int(.min), .int(.max), .uint(.max), .double(-0.5), .pointer(16),
    .string(""), .string("é\u{0}"), .array([]), .dictionary([:]),
    .array([.array([.int(1)]), .dictionary(["a": .string("b"), "": .array([.bool(false)])]), .uint(128)]),
  ]

  @Test func valuesAreReadAsWritten() {
    var packed = PackedAnnotations()
    let places = Self.values.map { value in
      defer { packed.append(value) }
      return packed.count
    }
    #expect(places.map { packed.value(at: $0) } == Self.values)
  }

  @Test func elementsThatAreReadAreBounded() {
    var packed = PackedAnnotations()
    packed.append(.array([.int(1), .dictionary(["a": .int(2)]), .int(3), .array([.int(4)])]))
    let whole = packed.value(at: 0)
    #expect(packed.value(at: 0, most: 6) == whole)
    #expect(
      packed.value(at: 0, most: 5) == .array([.int(1), .dictionary(["a": .int(2)]), .int(3), .array([.string("…")])]))
    #expect(packed.value(at: 0, most: 2) == .array([.int(1), .dictionary(["a": .string("…")])]))
    #expect(packed.value(at: 0, most: 0) == .array([.string("…")]))
  }

  /// They take no more bytes than their text in JSON.
  @Test func smallValuesAreSmall() {
    var packed = PackedAnnotations()
    packed.append(.array([.dictionary(["": .int(1)]), .array([]), .int(1)]))
    #expect(packed.count <= "[{\"\":1},[],1]".utf8.count)
  }

  @Test func argumentsKeepTheirValues() throws {
    let text = #"""
      [{"ph":"i","ts":1,"tid":1,"name":"x","args":{"a":{"b":[1,-2.5,"q\"",null,true,{}],"b\n":null,"c":"1","c":"2"}}}]
      """#
    let trace = try text.utf8CString.withUnsafeBytes {
      try TraceReader().read(bytes: UnsafeRawBufferPointer(rebasing: $0.dropLast()))
    }
    let expected: AnnotationValue = .dictionary([
      "b": .array([.int(1), .double(-2.5), .string("q\""), .bool(true), .dictionary([:])]), "c": .string("2"),
    ])
    #expect(trace.annotations[trace.instants.annotation[0]].map(\.value) == [expected])
  }
}
