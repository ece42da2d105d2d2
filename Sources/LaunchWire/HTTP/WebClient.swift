// SPDX-License-Identifier: Apache-2.0

/// Sends requests: by a socket, or, where the connection must be encrypted, by `curl`.
package struct WebClient: Sendable {
  package init() {}

  /// - Throws: `WebFailure` when no whole answer came.
  package func send(_ request: WebRequest) throws(WebFailure) -> WebResponse {
    #if canImport(Glibc)
    if request.address.isSecure { return try Curl.send(request) }
    let connection = try WebConnection(to: request.address, timeout: request.timeout)
    defer { connection.close() }
    return try connection.exchange(request)
    #else
    throw WebFailure(.noConnection, "requests are sent on Linux only")
    #endif
  }
}
