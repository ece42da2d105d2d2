// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord
internal import LaunchTrace
internal import LaunchWire

/// An `ExportTraceServiceResponse`: whether the receiver left something out.
struct OTLPAnswer: Equatable {
  var rejectedSpans: Int64 = 0
  var message = ""

  /// An unreadable answer is ignored, because the status says that the request was accepted.
  init(_ body: [UInt8], _ format: OTLPFormat) {
    switch format {
    case .json: readJSON(body)
    case .protobuf: readProtobuf(body)
    }
  }

  private mutating func readJSON(_ body: [UInt8]) {
    body.withUnsafeBytes { bytes in
      var scanner = FlatObjectScanner(bytes)
      while scanner?.next() == .member, let found = scanner {
        if case .nested(let partial) = found.value, found.key.elementsEqual("partialSuccess".utf8) {
          readPartialSuccess(FlatObjectScanner(partial))
        }
      }
    }
  }

  private mutating func readPartialSuccess(_ scanner: FlatObjectScanner?) {
    var scanner = scanner
    while scanner?.next() == .member, let found = scanner {
      switch (String(decoding: found.key, as: UTF8.self), found.value) {
      case ("rejectedSpans", .integer(let count, _)): rejectedSpans = count
      // 64-bit numbers are strings in protobuf's JSON.
      case ("rejectedSpans", .text(let text, _)): rejectedSpans = Int64(String(decoding: text, as: UTF8.self)) ?? 0
      case ("errorMessage", .text(let text, let hasEscapes)):
        message = JSONEscapes.text(text, hasEscapes: hasEscapes)
      default: break
      }
    }
  }

  private mutating func readProtobuf(_ body: [UInt8]) {
    body.withUnsafeBytes { bytes in
      var response = ProtobufFields(bytes)
      while response.next() {
        guard response.number == 1, response.wire == 2 else { continue }
        var partial = ProtobufFields(response.bytes)
        while partial.next() {
          switch (partial.number, partial.wire) {
          case (1, 0): rejectedSpans = Int64(bitPattern: partial.value)
          case (2, 2): message = String(decoding: partial.bytes, as: UTF8.self)
          default: break
          }
        }
      }
    }
  }
}
