// SPDX-License-Identifier: Apache-2.0

import LaunchShipping
import Testing

struct OTLPHeadersTests {
  @Test func valuesAreDecoded() {
    let read = OTLPHeaders(
      "Authorization=Basic%20YTpi==, x-key = a+b%2Cc%25 ,, \tx-empty=\t,X-Plain=Bearer two words;q=1,api%key=1")
    #expect(
      read.headers.map { "\($0.name): \($0.value)" } == [
        "Authorization: Basic YTpi==", "x-key: a+b,c%", "x-empty: ", "X-Plain: Bearer two words;q=1", "api%key: 1",
      ])
    #expect(read.problems.isEmpty)
    #expect(OTLPHeaders("").headers.isEmpty)
    #expect(OTLPHeaders("").problems.isEmpty)
  }

  @Test func whatIsDroppedIsSaidWithoutItsValue() throws {
    let bad = [
      "a=secret%0d%0aX-Other: 1", "b=secret%", "c=secret%2", "d=secret%+1", "e=secret%zz", "f=secret\u{e9}",
      "g=secret%C3%A9", "h=secret\r\nX: y", "secret", "=secret", "secret name=secret", "secret:=secret",
      "secr\u{e9}t=secret", "i=secret\u{7f}",
    ]
    let read = OTLPHeaders((["x=1"] + bad + ["y=2"]).joined(separator: ","))
    #expect(read.headers.map { "\($0.name): \($0.value)" } == ["x: 1", "y: 2"])
    try #require(read.problems.count == bad.count)
    #expect(!read.problems.contains { $0.contains("secr") })
    #expect(read.problems[0] == "a is not sent: expected printable ASCII as its value, and %25 for a percent sign")
    #expect(read.problems[8] == "pair 10 is not sent: expected NAME=VALUE")
  }
}
