// SPDX-License-Identifier: Apache-2.0

import CLaunchObserver
import Glibc
import LaunchSystem
import Testing

@testable import LaunchObserver

/// What `--ready http://…` asks, and what it takes for an answer.
struct AnswerTests {
  private func status(_ text: String) -> WebQuestion.Status { WebQuestion.status(of: Array(text.utf8)[...]) }

  @Test func theStatusIsReadAsSoonAsItIsThere() {
    let text = "HTTP/1.1 204 No Content\r\n"
    for count in 0...12 { #expect(status(String(text.prefix(count))) == .open, "\(count)") }
    #expect(status(String(text.prefix(13))) == .known(204))
    #expect(status("HTTP/1.0 503\r\n") == .known(503))
  }

  @Test func whatComesBeforeTheAnswerIsNone() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
    #expect(status(hints) == .open)
    #expect(status(hints + hints + "HTTP/1.1 200 OK") == .known(200))
  }

  /// A server may send `103 Early Hints` for ever.
  @Test func thousandsOfInterimAnswersAreNoAnswer() {
    let interim = String(repeating: "HTTP/1.1 100 \r\n\r\n", count: 60_000)
    #expect(status(interim + "HTTP/1.1 200 OK\r\n") == .notHTTP)
  }

  @Test(arguments: ["SSH-2.0", "\0\0\u{12}\u{4}", "HTTP/2", "HTTP/1.1 abc ", "HTTP/1.1 -10 ", "HTTP/1.1 042 "])
  func anythingElseIsNotHTTP(text: String) {
    #expect(status(text) == .notHTTP)
  }

  private func places(_ url: String) throws -> [WebPlace] { try WebPlace.all(of: try #require(WebAddress(url))) }
  private let loopback = [UInt8](repeating: 0, count: 15) + [1]

  @Test func anAddressHasPlaces() throws {
    #expect(try places("http://localhost:80/").map(\.address) == [[127, 0, 0, 1], loopback])
    #expect(try places("http://0.0.0.0/").map(\.address) == [[127, 0, 0, 1]])
    #expect(try places("http://[::]/").map(\.address) == [loopback])
    #expect(try places("http://127.0.0.7/").map(\.isLocal) == [true])
    // Documentation addresses are nobody's: RFC 5737.
    #expect(try places("http://192.0.2.1/").map(\.isLocal) == [false])
    #expect(throws: LaunchError.self) { try places("http://no-such-host.invalid/") }
  }

  /// With socket activation, the launcher holds the socket before the launch, and the program inherits it.
  @Test func aSocketThatTheProgramInheritsIsAsked() throws {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    try #require(listen(server, 1) == 0)
    var (name, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    _ = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server, $0, &size) }
    }
    let port = UInt16(bigEndian: name.sin_port)
    let watch = try AnswerWatch(try #require(WebAddress("http://127.0.0.1:\(port)/a")))
    var launched = lo_launched()
    launched.exec_ns = lo_now()
    watch.begin(launched)
    #expect(watch.look() == nil)
    let connection = accept(server, nil, nil)
    defer { close(connection) }
    #expect(watch.look() == nil)
    var request = [UInt8](repeating: 0, count: 1024)
    let count = recv(connection, &request, request.count, 0)
    #expect(
      String(decoding: request.prefix(max(0, count)), as: UTF8.self).hasPrefix(
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"))
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    #expect(write(connection, answer, answer.utf8.count) == answer.utf8.count)
    #expect(watch.look()?.kind == .answered)
    // It has closed its end, and asks no more.
    #expect(recv(connection, &request, request.count, 0) == 0)
    #expect(watch.look() == nil && watch.polled.isEmpty)
  }

  /// A connection goes to the socket that fits best.
  @Test func socketsFit() throws {
    func fit(_ url: String, _ address: [UInt8]) throws -> Int {
      try #require(places(url).first).fit(Listener(inode: 1, port: 80, path: "", address: address))
    }
    let (any, own) = ([UInt8](repeating: 0, count: 4), [127, 0, 0, 1] as [UInt8])
    let (anySix, mapped) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 10) + [255, 255] + own)
    #expect(
      try [own, mapped, any, anySix, loopback, [127, 0, 0, 2], []].map { try fit("http://127.0.0.1", $0) } == [
        3, 3, 2, 1, 0, 0, 0,
      ])
    #expect(try [own, mapped, any, anySix, loopback].map { try fit("http://[::1]", $0) } == [0, 0, 0, 2, 3])
  }
}
