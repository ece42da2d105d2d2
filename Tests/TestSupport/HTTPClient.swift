// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A minimal HTTP client for servers on 127.0.0.1.
package final class HTTPClient {
  package struct Response {
    package var status: Int
    /// By name, in lower case.
    package var fields: [String: String]
    package var body: [UInt8]
  }

  private let descriptor: Int32

  package init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    // A server that hangs must not hang the test.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw ToolFailure("no server listens on port \(port): errno \(errno)") }
  }

  deinit { close(descriptor) }

  package func send(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// What the server sends until it closes the connection; nil if that is not a response.
  package func receive() -> Response? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = recv(descriptor, &chunk, chunk.count, 0)
      if got <= 0 { break }
      bytes += chunk[..<got]
    }
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    var response = Response(status: 0, fields: [:], body: Array(bytes[(end + 4)...]))
    for (place, line) in lines.enumerated() {
      let words = line.split(separator: place == 0 ? " " : ":", maxSplits: 1)
      guard words.count == 2 else { return nil }
      if place == 0 {
        response.status = Int(words[1].prefix(3)) ?? 0
      } else {
        response.fields[words[0].lowercased()] = String(words[1].drop { $0 == " " })
      }
    }
    return response
  }

  /// Requests an address of the form `http://127.0.0.1:PORT/PATH`.
  package static func request(
    _ method: String, _ address: String, fields: [String] = []
  ) throws -> Response? {
    guard let (port, path) = parts(address) else { throw ToolFailure("no address: \(address)") }
    let client = try HTTPClient(port: port)
    let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return client.receive()
  }

  package static func parts(_ address: String) -> (port: UInt16, path: String)? {
    guard let match = address.wholeMatch(of: #/http://127\.0\.0\.1:(\d+)(/.*)/#), let port = UInt16(match.1) else {
      return nil
    }
    return (port, String(match.2))
  }
}
