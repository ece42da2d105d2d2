// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Takes the escape sequences of a terminal (colours, links) out of a program's output: ECMA-48, section 5. A sequence
/// may begin in one piece of the output and end in another.
struct EscapeSequences {
  private enum State {
    case text
    /// After ESC.
    case escape
    /// `ESC [`, up to a letter.
    case control
    /// `ESC ]` and others, up to BEL or `ESC \`.
    case string
  }

  private var state = State.text
  private static let (escape, bell, newline) = (UInt8(0x1b), UInt8(0x07), UInt8(ascii: "\n"))

  /// Appends the text in `bytes` to `text`.
  mutating func read(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
    if state == .text, lo_bytes_find(bytes.baseAddress, bytes.count, [Self.escape], 1) < 0 {
      text.append(contentsOf: bytes)
      return
    }
    for byte in bytes where isText(byte) { text.append(byte) }
  }

  private mutating func isText(_ byte: UInt8) -> Bool {
    // A line's end also ends a sequence that is not complete: otherwise, no line would follow it.
    if byte == Self.newline { state = .text }
    let before = state
    if byte == Self.escape { state = .escape } else { advance(byte) }
    return before == .text && state == .text
  }

  private mutating func advance(_ byte: UInt8) {
    switch (state, byte) {
    case (.escape, UInt8(ascii: "[")): state = .control
    case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "X")),
      (.escape, UInt8(ascii: "^")), (.escape, UInt8(ascii: "_")):
      state = .string
    // The end of a string, and sequences of two or more bytes.
    case (.escape, 0x30...0x7e), (.control, 0x40...0x7e), (.string, Self.bell): state = .text
    default: break
    }
  }
}
