#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One POST over a plain socket. For encryption, put a proxy before the server.
struct PlainHTTP {
  let host: String
  let port: String
  /// With its slash.
  let path: String
  /// `user` and `password` of the address, for headers.
  let user: String?
  let password: String?

  private static let largestAnswer = 1 << 28
  private static let timeout = 300

  /// nil for what is no `http://host:port/path`.
  init?(_ address: String) {
    guard address.hasPrefix("http://") else { return nil }
    let rest = address.dropFirst("http://".count)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let (authority, path) = (rest[..<slash], rest[slash...])
    let at = authority.lastIndex(of: "@")
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority
    let credentials = at.map { authority[..<$0].split(separator: ":", maxSplits: 1).map { String($0) } } ?? []
    let colon = place.hasSuffix("]") ? nil : place.lastIndex(of: ":")
    let name = String(colon.map { place[..<$0] } ?? place)
    host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    port = colon.map { String(place[place.index(after: $0)...]) } ?? "8123"
    self.path = path.isEmpty ? "/" : String(path)
    (user, password) = (credentials.first, credentials.count > 1 ? credentials[1] : nil)
    let all = [host, port, self.path, user ?? "", password ?? ""].joined()
    guard !host.isEmpty, UInt16(port) != nil, all.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
  }

  /// - Returns: the body of an answer with status 200.
  /// - Throws: `FleetError` when the server can't be reached, or refuses.
  func post(_ body: [UInt8], headers: [(String, String)] = []) throws(FleetError) -> [UInt8] {
    let socket = try connected()
    defer { close(socket) }
    // HTTP/1.0: the answer ends where the connection does.
    var head = "POST \(path) HTTP/1.0\r\nHost: \(host)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    try send(Array((head + "\r\n").utf8) + body, socket)
    return try content(of: try answer(socket))
  }

  private func connected() throws(FleetError) -> Int32 {
    var hints = addrinfo()
    #if canImport(Glibc)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
    hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &found) == 0 else { throw failure("no such host") }
    defer { freeaddrinfo(found) }
    var next = found
    var code: Int32 = 0
    while let entry = next?.pointee {
      let descriptor = socket(entry.ai_family, entry.ai_socktype, entry.ai_protocol)
      if descriptor >= 0 {
        var limit = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
        code = errno
        close(descriptor)
      }
      next = entry.ai_next
    }
    throw failure("can't be reached: \(String(cString: strerror(code)))", code)
  }

  private func send(_ bytes: [UInt8], _ socket: Int32) throws(FleetError) {
    var place = 0
    while place < bytes.count {
      let sent = bytes[place...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { throw failure("ended the connection: \(String(cString: strerror(errno)))", errno) }
      place += sent
    }
  }

  private func answer(_ socket: Int32) throws(FleetError) -> [UInt8] {
    var (answer, block) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let got = read(socket, &block, block.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw failure("does not answer: \(String(cString: strerror(errno)))", errno) }
      if got == 0 { return answer }
      answer += block[..<got]
      guard answer.count <= Self.largestAnswer else { throw failure("answers with more than 256 MiB") }
    }
  }

  private func content(of answer: [UInt8]) throws(FleetError) -> [UInt8] {
    let end = Array("\r\n\r\n".utf8)
    guard let place = answer.indices.first(where: { answer[$0...].starts(with: end) }) else {
      throw failure("does not answer in HTTP; is it ClickHouse's HTTP port (8123)?")
    }
    let status = String(decoding: answer[..<place], as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
    let body = Array(answer[(place + 4)...])
    guard status == "200" else {
      let text = String(decoding: body.prefix(600), as: UTF8.self)
      throw FleetError(.refused, path: "\(host):\(port)", message: "answers \(status): \(text)")
    }
    return body
  }

  private func failure(_ message: String, _ code: Int32 = 0) -> FleetError {
    FleetError(.badServer, path: "\(host):\(port)", errno: code, message: message)
  }
}
