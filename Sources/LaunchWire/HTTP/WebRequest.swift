// SPDX-License-Identifier: Apache-2.0

package import LaunchSystem

/// A POST.
package struct WebRequest: Sendable {
  package var address: WebAddress
  /// Names and values without line ends; `Content-Type` among them.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// For all of it, seconds.
  package let timeout: Double
  /// Bytes that the body of the answer may have.
  package var largestAnswer: Int

  package init(
    address: WebAddress, headers: [(name: String, value: String)], body: [UInt8], timeout: Double = 30,
    largestAnswer: Int = 1 << 20
  ) {
    (self.address, self.headers, self.body) = (address, headers, body)
    (self.timeout, self.largestAnswer) = (timeout, largestAnswer)
  }

  /// Sends it: by a socket, or, where the connection must be encrypted, by `curl`.
  ///
  /// - Throws: `WebFailure` when no whole answer came.
  package func send() throws(WebFailure) -> WebResponse {
    #if canImport(Glibc)
    if address.isSecure { return try Curl.send(self) }
    let connection = try WebConnection(to: address, timeout: timeout)
    defer { connection.close() }
    return try connection.exchange(self)
    #else
    throw WebFailure(.noConnection, "requests are sent on Linux only")
    #endif
  }

  /// As HTTP/1.1 has it. The connection is for this request alone.
  var bytes: [UInt8] {
    var head = "POST \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\nUser-Agent: launchprof\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}

/// Why there is no answer to a request. Whether the other side took it is not known.
package struct WebFailure: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Code: Sendable { case noName, noConnection, timeOut, broken, anotherVersion, noTool }

  package let code: Code
  package let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  static func timeOut(after seconds: Double) -> WebFailure {
    WebFailure(.timeOut, "no answer within \(Int(exactly: seconds).map(String.init) ?? "\(seconds)") s")
  }

  package var description: String { message }
  /// Asking once more cannot help.
  package var isPermanent: Bool { code == .noTool || code == .anotherVersion }
}
