// SPDX-License-Identifier: Apache-2.0

/// The answer to a request.
struct HTTPAnswer: Equatable {
  enum Status: String {
    case ok = "200 OK"
    case noContent = "204 No Content"
    case badRequest = "400 Bad Request"
    case forbidden = "403 Forbidden"
    case notFound = "404 Not Found"
    case methodNotAllowed = "405 Method Not Allowed"
    case headTooLong = "431 Request Header Fields Too Large"
  }

  var status: Status
  /// The origin that may read the answer.
  var origin: String?
  /// Whether the file follows.
  var hasBody = false
  var allowsPrivateNetwork = false
  /// The client knows the address, but belongs to another user.
  var isOfOtherUser = false

  init(_ status: Status) { self.status = status }

  /// The origin may see the status, so a viewer can show it.
  static func toOtherUser(_ origin: String?) -> HTTPAnswer {
    var answer = HTTPAnswer(.forbidden)
    (answer.origin, answer.isOfOtherUser) = (origin, true)
    return answer
  }

  func head(of file: ServedFile) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status.rawValue)", "Connection: close", "Cache-Control: no-store"]
    lines.append("Content-Length: \(status == .ok ? file.size : 0)")
    if status == .ok { lines += ["Content-Type: \(file.contentType)", "X-Content-Type-Options: nosniff"] }
    if let origin {
      lines += ["Access-Control-Allow-Origin: \(origin)", "Vary: Origin"]
      if status == .noContent {
        lines += ["Access-Control-Allow-Methods: GET, HEAD", "Access-Control-Allow-Headers: *"]
      }
      if allowsPrivateNetwork {
        lines += ["Access-Control-Allow-Private-Network: true", "Access-Control-Allow-Local-Network: true"]
      }
    }
    if status == .methodNotAllowed { lines.append("Allow: GET, HEAD, OPTIONS") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// Which clients may read the file, and under which address.
struct ServingRules {
  /// `/TOKEN/NAME`.
  var path: String
  var origin: String
  var port: UInt16

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    // With another name for this machine, a page of another site could read the file (DNS rebinding).
    guard let host = request.host, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
      return HTTPAnswer(.forbidden)
    }
    if let asking = request.origin, asking != origin { return HTTPAnswer(.forbidden) }
    let target = request.target.prefix { $0 != "?" }
    guard target == path else { return HTTPAnswer(.notFound) }
    var answer: HTTPAnswer
    switch request.method {
    case "GET", "HEAD":
      answer = HTTPAnswer(.ok)
      answer.hasBody = request.method == "GET"
    case "OPTIONS":
      answer = HTTPAnswer(.noContent)
      answer.allowsPrivateNetwork = request.asksForPrivateNetwork
    default: return HTTPAnswer(.methodNotAllowed)
    }
    answer.origin = origin
    return answer
  }
}
