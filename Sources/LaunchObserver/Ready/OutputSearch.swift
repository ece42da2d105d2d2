// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Searches the output of a program for the first byte, or for the first line that matches a pattern.
///
/// A pattern costs the program little: a match of most patterns must contain certain words (`RequiredText`), and only
/// lines with one of them are matched. It is matched with the text that a person sees: without escape sequences, and
/// without the carriage return at the end of a line. Memory is bounded: a line of more than `longestLine` bytes is
/// searched in pieces.
final class OutputSearch {
  private let regex: Regex<AnyRegexOutput>?
  private let required: RequiredText?
  /// Unfinished lines by channel.
  private var openLines: [Int: OpenLine] = [:]
  /// The last bytes by channel, to show them if nothing matches.
  private var tails: [Int: [UInt8]] = [:]
  /// The search is over.
  private(set) var isFound = false

  /// A line whose end has not been written yet.
  private struct OpenLine {
    var bytes: [UInt8] = []
    /// It contains required text, but does not match yet.
    var isCandidate = false
    var escapes = EscapeSequences()
  }

  static let longestLine = 4096
  /// The bytes that two pieces of a longer line share.
  private static let overlap = 512
  /// Bytes and lines of each channel.
  private static let (longestTail, mostLines) = (1024, 3)

  /// - Parameter pattern: nil for the first byte.
  init(pattern: String?) {
    regex = pattern.flatMap { try? Regex($0) }
    required = pattern.flatMap(RequiredText.init)
  }

  var kind: ReadySignal.Kind { regex == nil ? .output : .match }
  /// Programs often write their first messages to standard error.
  var isOfBothStreams: Bool { regex != nil }

  /// What was found in `bytes`, or in the line that they continue. Returned only once, then nil.
  func look(at bytes: UnsafeRawBufferPointer, channel: Int) -> String? {
    guard !isFound, !bytes.isEmpty else { return nil }
    guard let regex else {
      isFound = true
      return ""
    }
    var line = openLines.removeValue(forKey: channel) ?? OpenLine()
    let seen = line.bytes.count
    line.escapes.read(bytes, into: &line.bytes)
    keepTail(line.bytes[seen...], of: channel)
    var isCandidate = line.isCandidate
    let found = line.bytes.withUnsafeBytes { window -> String? in
      match(of: regex, in: window, after: seen, isCandidate: &isCandidate)
    }
    line.isCandidate = isCandidate
    if let found {
      isFound = true
      openLines = [:]
      return found
    }
    keepOpenLine(&line)
    openLines[channel] = line
    return nil
  }

  /// The first line of `window` that matches. `seen` bytes of it were searched before.
  private func match(
    of regex: Regex<AnyRegexOutput>, in window: UnsafeRawBufferPointer, after seen: Int, isCandidate: inout Bool
  ) -> String? {
    var mustMatch = isCandidate
    var at = 0
    if let required, !mustMatch { at = max(0, seen - required.longest + 1) }
    while at < window.count {
      if let required, !mustMatch {
        guard let place = required.first(in: window, from: at) else { return nil }
        at = place
      }
      mustMatch = false
      let start = lo_bytes_line_start(window.baseAddress, at)
      let end = lo_bytes_line_end(window.baseAddress, window.count, at)
      let hasReturn = start < end && window[end - 1] == UInt8(ascii: "\r")
      let text = String(decoding: window[start..<(hasReturn ? end - 1 : end)], as: UTF8.self)
      // A terminal writes what follows a carriage return over what precedes it: progress, and then the message.
      let parts = [text[...]] + (text.contains("\r") ? text.split(separator: "\r") : [])
      if let found = parts.first(where: { $0.contains(regex) }) { return String(found.prefix(200)).trimmingEnd() }
      isCandidate = end == window.count
      at = end + 1
    }
    return nil
  }

  private func keepTail(_ bytes: ArraySlice<UInt8>, of channel: Int) {
    var tail = bytes.count < Self.longestTail ? tails.removeValue(forKey: channel) ?? [] : []
    tail += bytes.suffix(Self.longestTail)
    tails[channel] = tail.count > Self.longestTail ? Array(tail.suffix(Self.longestTail)) : tail
  }

  /// What to show if no line matches; nil without a pattern.
  var evidence: ReadyGap.Evidence? {
    guard regex != nil else { return nil }
    let lines = tails.sorted { $0.key < $1.key }.flatMap { _, bytes in
      bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self).trimmingEnd() }
        .filter { !$0.isEmpty }.suffix(Self.mostLines)
    }
    return lines.isEmpty
      ? .init("It wrote no output. A program that writes to a pipe may keep its output in a buffer; it must flush it.")
      : .init("The last lines of its output:", lines: lines)
  }

  private func keepOpenLine(_ line: inout OpenLine) {
    let start = line.bytes.withUnsafeBytes { lo_bytes_line_start($0.baseAddress, $0.count) }
    if start > 0 { line.bytes.removeFirst(start) }
    if line.bytes.isEmpty { line.isCandidate = false }
    if line.bytes.count > Self.longestLine { line.bytes = Array(line.bytes.suffix(Self.overlap)) }
  }
}

extension String {
  fileprivate func trimmingEnd() -> String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
