// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord
internal import LaunchTrace

/// The encodings of OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp).
package enum OTLPFormat: String, Sendable, CaseIterable {
  case json, protobuf

  var contentType: String { self == .json ? "application/json" : "application/x-protobuf" }

  /// An `ExportTraceServiceRequest`.
  func request(_ launches: [LaunchSpans]) -> [UInt8] {
    switch self {
    case .json: OTLPJSON.request(launches)
    case .protobuf: OTLPProtobuf.request(launches)
    }
  }

  static let scope = "launchprof"
}

/// OTLP in JSON: ids in hexadecimal, 64-bit numbers as strings.
private enum OTLPJSON {
  static func request(_ launches: [LaunchSpans]) -> [UInt8] {
    let resources = launches.map { launch in
      "{\"resource\":{\"attributes\":\(attributes(launch.resource))},\"scopeSpans\":[{\"scope\":{\"name\":\"\(OTLPFormat.scope)\"},"
        + "\"spans\":[\(launch.spans.map(span).joined(separator: ","))]}]}"
    }
    return Array("{\"resourceSpans\":[\(resources.joined(separator: ","))]}".utf8)
  }

  private static func span(_ span: Span) -> String {
    var text = "{\"traceId\":\"\(span.trace)\",\"spanId\":\"\(LaunchID.digits(span.id))\""
    if let parent = span.parent { text += ",\"parentSpanId\":\"\(LaunchID.digits(parent))\"" }
    text += ",\"name\":\(string(span.name)),\"kind\":1"
    text += ",\"startTimeUnixNano\":\"\(span.start)\",\"endTimeUnixNano\":\"\(span.end)\""
    text += ",\"attributes\":\(attributes(span.attributes))"
    let events = span.events.map { "{\"timeUnixNano\":\"\($0.time)\",\"name\":\(string($0.name))}" }
    text += ",\"events\":[\(events.joined(separator: ","))]"
    if let failure = span.failure { text += ",\"status\":{\"code\":2,\"message\":\(string(failure))}" }
    return text + "}"
  }

  private static func attributes(_ attributes: Span.Attributes) -> String {
    let members = attributes.map { "{\"key\":\(string($0.key)),\"value\":\(value($0.value))}" }
    return "[\(members.joined(separator: ","))]"
  }

  private static func value(_ value: Span.Value) -> String {
    switch value {
    case .text(let text): "{\"stringValue\":\(string(text))}"
    case .number(let number): "{\"intValue\":\"\(number)\"}"
    case .flag(let flag): "{\"boolValue\":\(flag)}"
    }
  }

  private static func string(_ text: String) -> String {
    var result = ""
    result.append(json: text)
    return result
  }
}

/// OTLP in protobuf: field numbers of opentelemetry/proto/trace/v1/trace.proto.
private enum OTLPProtobuf {
  static func request(_ launches: [LaunchSpans]) -> [UInt8] {
    var request = ProtobufWriter()
    for launch in launches {
      request.message(1) { resourceSpans in
        resourceSpans.message(1) { resource in write(launch.resource, as: 1, to: &resource) }
        resourceSpans.message(2) { scopeSpans in
          scopeSpans.message(1) { $0.string(1, OTLPFormat.scope) }
          for span in launch.spans { scopeSpans.message(2) { write(span, to: &$0) } }
        }
      }
    }
    return request.bytes
  }

  private static func write(_ span: Span, to writer: inout ProtobufWriter) {
    bytes(1, span.trace.hexadecimalBytes, to: &writer)
    bytes(2, id(span.id), to: &writer)
    if let parent = span.parent { bytes(4, id(parent), to: &writer) }
    writer.string(5, span.name)
    writer.varint(6, 1)
    writer.fixed64(7, UInt64(clamping: span.start))
    writer.fixed64(8, UInt64(clamping: span.end))
    write(span.attributes, as: 9, to: &writer)
    for event in span.events {
      writer.message(11) { message in
        message.fixed64(1, UInt64(clamping: event.time))
        message.string(2, event.name)
      }
    }
    if let failure = span.failure {
      writer.message(15) { status in
        status.string(2, failure)
        status.varint(3, 2)
      }
    }
  }

  private static func write(_ attributes: Span.Attributes, as field: Int, to writer: inout ProtobufWriter) {
    for attribute in attributes {
      writer.message(field) { pair in
        pair.string(1, attribute.key)
        pair.message(2) { value in
          switch attribute.value {
          case .text(let text): value.string(1, text)
          case .flag(let flag): value.bool(2, flag)
          case .number(let number): value.signed(3, number)
          }
        }
      }
    }
  }

  private static func bytes(_ field: Int, _ bytes: [UInt8], to writer: inout ProtobufWriter) {
    bytes.withUnsafeBytes { writer.bytes(field, $0) }
  }

  private static func id(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id.bigEndian) { Array($0) } }
}
