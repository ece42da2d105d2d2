internal import LaunchRecord
internal import LaunchTrace

/// An `ExportTraceServiceResponse`: whether the receiver left something out.
struct OTLPAnswer: Equatable {
  var rejectedSpans: Int64 = 0
  var message = ""

  /// What cannot be read says nothing: the status has said that the request was taken.
  init(_ body: [UInt8], _ format: OTLPFormat) {
    switch format {
    case .json: readJSON(body)
    case .protobuf: readProtobuf(body)
    }
  }

  private mutating func readJSON(_ body: [UInt8]) {
    var scanner = ObjectScanner(body)
    for case ("partialSuccess", .nested(let bytes)) in scanner.members() ?? [] {
      var inner = ObjectScanner(bytes)
      for (key, member) in inner.members() ?? [] {
        switch (key, member) {
        case ("rejectedSpans", .value(.number(let count))): rejectedSpans = count
        // 64-bit numbers are strings in protobuf's JSON.
        case ("rejectedSpans", .value(.text(let text))): rejectedSpans = Int64(text) ?? 0
        case ("errorMessage", .value(.text(let text))): message = text
        default: break
        }
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
