// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The head of a request (RFC 9112), as far as serving one file needs it.
struct HTTPRequest: Equatable {
  enum Failure: Error, Equatable { case malformed, tooLong }

  var method: String
  /// As received, with its query.
  var target: String
  var host: String?
  var origin: String?
  /// The browser asks first whether a page from the network may read from this machine.
  var asksForPrivateNetwork = false

  /// Longer heads are refused.
  static let longest = 8192

  /// nil until the head is complete.
  static func parse(_ bytes: [UInt8]) throws(Failure) -> HTTPRequest? {
    guard let end = bytes.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a])?.lowerBound else {
      if bytes.count > longest { throw .tooLong }
      return nil
    }
    if end > longest { throw .tooLong }
    // A head must not contain control characters.
    let head = bytes[..<end]
    guard head.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 }) else {
      throw .malformed
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    // A lone CR or LF may look like the end of a line to another reader.
    guard !lines.joined().contains(where: \.isNewline) else { throw .malformed }
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/") else {
      throw .malformed
    }
    var request = HTTPRequest(method: String(words[0]), target: String(words[1]))
    for line in lines.dropFirst() { try request.read(field: line) }
    return request
  }

  private mutating func read(field line: Substring) throws(Failure) {
    guard let colon = line.firstIndex(of: ":"), !line[..<colon].contains(where: \.isWhitespace) else {
      throw .malformed
    }
    let value = line[line.index(after: colon)...].trimmed
    switch line[..<colon].lowercased() {
    case "host":
      // Two Host headers: an attempt to confuse the server.
      if host != nil { throw .malformed }
      host = value
    case "origin": origin = value
    case "access-control-request-private-network", "access-control-request-local-network": asksForPrivateNetwork = true
    default: break
    }
  }
}
