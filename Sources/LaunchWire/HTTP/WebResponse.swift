// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// An answer, whole.
package struct WebResponse: Sendable, Equatable {
  package let status: Int
  /// Names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]

  package var isSuccess: Bool { (200..<300).contains(status) }

  /// Whether the body is a page for people. It comes from something that knows no records, such as the log-in of a wireless
  /// network, which answers each request with status 200.
  package var isPage: Bool {
    // Protobuf may begin with a line feed and any byte.
    guard let type = headers["content-type"]?.lowercased() else { return body.first == 0x3c }
    return !body.isEmpty && (type.hasPrefix("text/html") || type.hasPrefix("application/xhtml"))
  }

  /// Seconds to wait before the next request, if the other side says so, as a number or as a date.
  ///
  /// - Parameter now: seconds since 1970, for an answer that does not say by which clock its date is.
  package func retryAfter(now: Int64) -> Double? {
    guard let text = headers["retry-after"] else { return nil }
    if let date = WebDate.seconds(text) {
      // By the clock of the other side: that of this machine may be wrong.
      return Double(max(0, date - (headers["date"].flatMap(WebDate.seconds) ?? now)))
    }
    return Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
  }

  private static let largestHead = 16 << 10

  /// More than any answer has: chunks have sizes beside their bytes.
  static func largest(_ largestBody: Int) -> Int { largestHead + 2 * largestBody }

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - isAtEnd: the other side has closed the connection.
  ///   - largestBody: bytes.
  /// - Returns: nil if more of it has to come.
  /// - Throws: `WebFailure`: `broken` if it is not an answer, or ended too early.
  package static func read(
    _ bytes: ArraySlice<UInt8>, isAtEnd: Bool, largestBody: Int
  ) throws(WebFailure) -> WebResponse? {
    guard var head = try self.head(bytes, isAtEnd: isAtEnd) else { return nil }
    // What comes before the answer, such as `100 Continue`.
    while head.status < 200 {
      if head.rest.startIndex - bytes.startIndex > largestHead {
        throw WebFailure(.broken, "the answer's headers have no end")
      }
      guard let next = try self.head(head.rest, isAtEnd: isAtEnd) else { return nil }
      head = next
    }
    var headers: [String: String] = [:]
    for line in head.lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmed
    }
    let hasNone = head.status == 204 || head.status == 304
    let body = try self.body(head.rest, headers, hasNone: hasNone, isAtEnd: isAtEnd, largestBody: largestBody)
    return body.map { WebResponse(status: head.status, headers: headers, body: $0) }
  }

  /// A head: its status, its other lines, and what follows it.
  private static func head(
    _ bytes: ArraySlice<UInt8>, isAtEnd: Bool
  ) throws(WebFailure) -> (status: Int, lines: ArraySlice<Substring>, rest: ArraySlice<UInt8>)? {
    if isSettings(bytes) {
      throw WebFailure(
        .anotherVersion, "the answer is HTTP/2, as gRPC has it; name the port for HTTP, which is mostly 4318 for OTLP")
    }
    guard let end = bytes.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a])?.lowerBound else {
      if isAtEnd { throw WebFailure(.broken, "the answer ended before its headers did") }
      if bytes.count > largestHead { throw WebFailure(.broken, "the answer's headers have no end") }
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
      status >= 100
    else { throw WebFailure(.broken, "the answer is not HTTP") }
    return (status, lines.dropFirst(), bytes[(end + 4)...])
  }

  /// The frame with which a server of HTTP/2 begins (RFC 9113, 3.4): a length of at most two bytes, the type 4, and no flags.
  private static func isSettings(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = Array(bytes.prefix(9))
    return head.count == 9 && head[0] == 0 && head[3...].elementsEqual([4, 0, 0, 0, 0, 0])
  }

  private static func body(
    _ bytes: ArraySlice<UInt8>, _ headers: [String: String], hasNone: Bool, isAtEnd: Bool, largestBody: Int
  ) throws(WebFailure) -> [UInt8]? {
    if hasNone { return [] }
    if headers["transfer-encoding"]?.lowercased() == "chunked" {
      return try chunks(bytes, isAtEnd: isAtEnd, largestBody: largestBody)
    }
    if let text = headers["content-length"] {
      guard let length = Int(text), length >= 0, length <= largestBody else {
        throw WebFailure(.broken, "the answer is longer than \(largestBody) bytes")
      }
      if bytes.count >= length { return Array(bytes.prefix(length)) }
      if isAtEnd { throw WebFailure(.broken, "the answer ended after \(bytes.count) of \(length) bytes") }
      return nil
    }
    if bytes.count > largestBody { throw WebFailure(.broken, "the answer is longer than \(largestBody) bytes") }
    return isAtEnd ? Array(bytes) : nil
  }

  private static func chunks(
    _ bytes: ArraySlice<UInt8>, isAtEnd: Bool, largestBody: Int
  ) throws(WebFailure) -> [UInt8]? {
    // The last chunk ends so; to look at the others again with each packet would take long.
    guard isAtEnd || bytes.suffix(4).elementsEqual([0x0d, 0x0a, 0x0d, 0x0a]) else { return nil }
    var (rest, body): (ArraySlice<UInt8>, [UInt8]) = (bytes, [])
    while let end = rest.firstRange(of: [0x0d, 0x0a])?.lowerBound {
      // Blanks may follow the digits, and an extension.
      let digits = String(decoding: rest[..<end].prefix { ![0x3b, 0x20, 0x09].contains($0) }, as: UTF8.self)
      guard let length = Int(digits, radix: 16), (0...largestBody - body.count).contains(length) else {
        throw WebFailure(.broken, "the answer's chunks are malformed")
      }
      if length == 0 { return body }
      let start = end + 2
      guard rest.endIndex - start >= length + 2 else { break }
      body += rest[start..<start + length]
      rest = rest[(start + length + 2)...]
    }
    if isAtEnd { throw WebFailure(.broken, "the answer ended within a chunk") }
    return nil
  }
}
