// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// RFC 8259, 7: strings. The importers and the readers of launch records decode them in one way.
struct JSONEscapesTests {
  @Test(arguments: [
    (#"a\tb\n\"\\\/"#, "a\tb\n\"\\/"),
    (#"\u0041\u00e9\u20AC"#, "Aé€"),
    (#"\ud83d\ude00!"#, "😀!"),
    // Half of a pair.
    (#"\ud83d"#, "\u{fffd}"), (#"\ud83dx"#, "\u{fffd}x"), (#"\ude00"#, "\u{fffd}"), (#"\ud83d\u0041"#, "\u{fffd}A"),
    // Not four hexadecimal digits.
    (#"\u+123"#, "\u{fffd}+123"), (#"\u-123"#, "\u{fffd}-123"), (#"\u0x12"#, "\u{fffd}0x12"),
    (#"\u12"#, "\u{fffd}12"), (#"\ud83d\u+e00"#, "\u{fffd}\u{fffd}+e00"),
    // A letter that escapes nothing, and an end after the backslash.
    (#"\q"#, "q"), (#"a\"#, #"a\"#),
  ])
  func escapesAreDecoded(_ text: String, _ expected: String) {
    let decoded = Array(text.utf8).withUnsafeBytes { JSONEscapes.text($0, hasEscapes: true) }
    #expect(decoded == expected)
  }
}
