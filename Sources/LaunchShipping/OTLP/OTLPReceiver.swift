// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchWire

/// An OpenTelemetry receiver, and what it gets.
package struct OTLPReceiver: Sendable {
  /// Where it takes traces.
  let address: WebAddress
  let format: OTLPFormat
  let headers: [(name: String, value: String)]
  /// For a request, seconds.
  let timeout: Double
  /// Whether requests are compressed, until the receiver says that it does not know gzip.
  private(set) var compresses: Bool

  init(
    _ address: WebAddress, _ format: OTLPFormat, headers: [(name: String, value: String)], compresses: Bool,
    timeout: Double
  ) {
    (self.address, self.format, self.headers) = (address, format, headers)
    (self.compresses, self.timeout) = (compresses, timeout)
  }

  /// - Throws: `WebFailure` when no whole answer came.
  mutating func send(_ launches: [LaunchSpans]) throws(WebFailure) -> WebResponse {
    let body = format.request(launches)
    if compresses, let compressed = Gzip.compressed(body) {
      let response = try post(compressed, [(name: "Content-Encoding", value: "gzip")])
      // 415: the receiver does not know this encoding.
      guard response.status == 415 else { return response }
      compresses = false
    }
    return try post(body)
  }

  private func post(
    _ body: [UInt8], _ encoding: [(name: String, value: String)] = []
  ) throws(WebFailure) -> WebResponse {
    let headers = [(name: "Content-Type", value: format.contentType)] + encoding + headers
    return try WebRequest(address: address, headers: headers, body: body, timeout: timeout).send()
  }
}
