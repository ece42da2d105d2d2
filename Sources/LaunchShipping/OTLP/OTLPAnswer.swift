// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

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
      let partial = JSONView(bytes)?["partialSuccess"]
      let count = partial?["rejectedSpans"]
      // 64-bit numbers are strings in protobuf's JSON.
      rejectedSpans = count?.integer ?? count?.string.flatMap { Int64($0) } ?? 0
      message = partial?["errorMessage"]?.string ?? ""
    }
  }

  private mutating func readProtobuf(_ body: [UInt8]) {
    body.withUnsafeBytes { bytes in
      for field in ProtobufFields(bytes) where field.number == 1 && field.wire == 2 {
        for part in ProtobufFields(field.bytes) {
          switch (part.number, part.wire) {
          case (1, 0): rejectedSpans = Int64(bitPattern: part.value)
          case (2, 2): message = String(decoding: part.bytes, as: UTF8.self)
          default: break
          }
        }
      }
    }
  }
}
