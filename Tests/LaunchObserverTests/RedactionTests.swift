// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

struct RedactionTests {
  @Test(arguments: [
    ("https://a/b", "<URL, 11 bytes>"), ("--to=mailto:a@b", "--to=<URL, 10 bytes>"), ("TEL:123", "<URL, 7 bytes>"),
    ("magnet:?xt=1", "<URL, 12 bytes>"), ("a:https://b", "a:<URL, 9 bytes>"), ("é://a", "é://a"), ("", ""),
  ])
  func aURLIsReplaced(argument: String, recorded: String) { #expect(Redaction.argument(argument) == recorded) }

  @Test(arguments: ["C:\\x", "C://x", "key:value", "host:80", "12:30", "hotel:5", "a:b", ":", "://", "mailto"])
  func otherTextsStay(argument: String) { #expect(Redaction.argument(argument) == argument) }
}
