// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchWire

struct WebResponseTests {
  private func read(_ text: String, isAtEnd: Bool = true, largestBody: Int = 100) throws -> WebResponse? {
    try WebResponse.read(Array(text.utf8)[...], isAtEnd: isAtEnd, largestBody: largestBody)
  }

  private func chunked(_ chunks: String) -> String { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks }

  @Test func answersAreRead() throws {
    let plain = try read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nok")
    #expect(plain == WebResponse(status: 200, headers: ["a": "b", "content-length": "2"], body: Array("ok".utf8)))
    #expect(try read(chunked("1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n"))?.body == Array("{}".utf8))
    #expect(try read(chunked("1  \r\n{\r\n1 ;x=y\r\n}\r\n0\t\r\n\r\n"))?.body == Array("{}".utf8))
    #expect(try read("HTTP/1.1 200 OK\r\nContent-Length:\t2 \t\r\n\r\nok")?.body == Array("ok".utf8))
    #expect(try read("HTTP/1.1 204 Nothing\r\n\r\n")?.body == [])
    #expect(try read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200", isAtEnd: false) == nil)
  }

  @Test(arguments: [
    ("Content-Type: Text/HTML; charset=utf-8", "Welcome", true), ("A: b", "<html>", true),
    ("Content-Type: text/html", "", false), ("Content-Type: application/json", "{}", false),
    ("Content-Type: text/plain", "Ok.", false), ("Content-Type: application/x-protobuf", "\u{a}<>", false),
    ("A: b", "\u{a}<>", false),
  ]) func pagesAreRecognised(header: String, body: String, isPage: Bool) throws {
    #expect(try read("HTTP/1.1 200 OK\r\n\(header)\r\n\r\n\(body)")?.isPage == isPage)
  }

  @Test(
    arguments: [
      ("Retry-After: 120", 120), ("Retry-After: 1.5", 1.5), ("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", 37),
      ("Date: Sun, 06 Nov 1994 08:49:30 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT", 7),
      ("Retry-After: Sun, 06 Nov 1994 08:48:00 GMT", 0), ("Retry-After: -5", nil), ("Retry-After: soon", nil),
      ("Retry-After: Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Retry-After: Sun, 06 Nov 1994 08:60:37 GMT", nil),
      ("Retry-After: Sun, 06 Nov 1994 :08:49 GMT", nil), ("A: b", nil),
    ] as [(String, Double?)]) func pausesAreRead(header: String, seconds: Double?) throws
  {
    #expect(try read("HTTP/1.1 429 Later\r\n\(header)\r\n\r\n")?.retryAfter(now: 784_111_740) == seconds)
  }

  /// The port of gRPC, which is often taken for that of HTTP.
  @Test func anAnswerInHTTP2IsNamed() {
    let frame: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 64, 0, 0]
    let error = #expect(throws: WebFailure.self) {
      try WebResponse.read(frame[...], isAtEnd: false, largestBody: 100)
    }
    #expect(error?.isPermanent == true && error?.message.contains("4318") == true)
  }

  @Test func sizesOfChunksDoNotOverflow() {
    for size in ["7fffffffffffffff", "7ffffffffffffffe", "8000000000000000", "ffffffffffffffff", "-1", "64", "x"] {
      #expect(throws: WebFailure.self) { try read(chunked("1\r\n{\r\n\(size)\r\n}\r\n0\r\n\r\n")) }
    }
    #expect(throws: WebFailure.self) { try read(chunked("7fffffffffffffff\r\n}"), largestBody: 1 << 28) }
    #expect(throws: WebFailure.self) { try read("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n") }
  }

  /// Heads that come before the answer are not read one within the other.
  @Test func manyHeadsBeforeTheAnswerAreRefused() {
    let heads = String(repeating: "HTTP/1.1 100\r\n\r\n", count: 200_000)
    #expect(throws: WebFailure.self) { try read(heads + "HTTP/1.1 200 OK\r\n\r\n") }
    #expect(throws: WebFailure.self) { try read(heads, isAtEnd: false) }
  }
}
