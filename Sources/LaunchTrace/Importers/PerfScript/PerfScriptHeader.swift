// SPDX-License-Identifier: Apache-2.0

/// The first line of a sample in the output of `perf script`.
struct PerfScriptHeader {
  /// The thread's name, which may contain blanks.
  var comm: UnsafeRawBufferPointer
  var processID: Int32
  var threadID: Int32
  /// Nanoseconds; nil if `perf script` was called without times (`-F comm,tid,event,ip,sym`).
  var time: Int64?
  /// The weight of the sample, in the event's unit; 1 if the line does not say.
  var period: Int64 = 1
  var event: UnsafeRawBufferPointer
  /// What follows the event: the only frame, or a tracepoint's values.
  var rest: UnsafeRawBufferPointer

  /// - Parameter hasTime: false for a header without a time, `comm pid/tid [cpu] period event:`, with nothing after the event.
  init?(_ line: UnsafeRawBufferPointer, hasTime: Bool = true) {
    if !hasTime {
      guard let first = line.first, first > 0x20, line.trimmed.last == UInt8(ascii: ":") else { return nil }
    }
    // Without blanks at its ends, which each look at a part of it would pass again.
    let start = Self.token(line, from: 0)?.lowerBound ?? 0
    let line = line.to(start + line.from(start).trimmed.count)
    var end = start
    // The thread id is the first number before a time. The name before it may also contain numbers, or lack (`-F tid,time,…`).
    while let token = Self.token(line, from: end) {
      end = token.upperBound
      let text = UnsafeRawBufferPointer(rebasing: line[token])
      if !hasTime, Self.time(text) != nil { return nil }
      guard hasTime || token.lowerBound > 0, let ids = Self.threadIDs(line, token) else { continue }
      comm = line.to(token.lowerBound).from(start).trimmed
      (processID, threadID) = ids
      rest = line.from(end).trimmed
      if rest.first == UInt8(ascii: "["), let cpu = Self.token(rest, from: 0) {
        rest = rest.from(cpu.upperBound).trimmed
      }
      if let mode = Self.token(rest, from: 0), rest[mode].allSatisfy(Self.modes.contains) {
        rest = rest.from(mode.upperBound).trimmed
      }
      if hasTime {
        guard let next = Self.token(rest, from: 0),
          let time = Self.time(UnsafeRawBufferPointer(rebasing: rest[next]))
        else { continue }
        self.time = time
        rest = rest.from(next.upperBound).trimmed
      }
      event = rest.to(0)
      readEvent()
      if hasTime || (rest.isEmpty && !event.isEmpty) { return }
    }
    return nil
  }

  /// The letters of `-F +misc`: `K` for the kernel, `U` for the program, and others.
  private static let modes = Set("KUHGgMESp".utf8)

  private mutating func readEvent() {
    guard var token = Self.token(rest, from: 0) else { return }
    if let number = UnsafeRawBufferPointer(rebasing: rest[token]).decimal {
      period = max(1, number)
      guard let next = Self.token(rest, from: token.upperBound) else {
        rest = rest.from(rest.count)
        return
      }
      token = next
    }
    var name = UnsafeRawBufferPointer(rebasing: rest[token])
    if name.last == UInt8(ascii: ":") { name = name.to(name.count - 1) }
    event = name
    rest = rest.from(token.upperBound).trimmed
  }

  private static func token(_ line: UnsafeRawBufferPointer, from place: Int) -> Range<Int>? {
    var start = place
    while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    if start == line.count { return nil }
    var end = start
    while end < line.count, line[end] != 0x20, line[end] != 0x09 { end += 1 }
    return start..<end
  }

  /// `tid` or `pid/tid`. perf prints -1 for a thread that had already ended.
  private static func threadIDs(
    _ line: UnsafeRawBufferPointer, _ token: Range<Int>
  ) -> (processID: Int32, threadID: Int32)? {
    let text = UnsafeRawBufferPointer(rebasing: line[token])
    if let slash = text.firstIndex(of: UInt8(ascii: "/")) {
      guard let processID = id(text.to(slash)), let threadID = id(text.from(slash + 1)) else { return nil }
      return (processID, threadID)
    }
    return id(text).map { ($0, $0) }
  }

  private static func id(_ text: UnsafeRawBufferPointer) -> Int32? {
    if text.elementsEqual("-1".utf8) { return -1 }
    return text.decimal.map { Int32(truncatingIfNeeded: $0) }
  }

  /// `seconds.fraction:`, as ns.
  private static func time(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.last == UInt8(ascii: ":"), let dot = text.firstIndex(of: UInt8(ascii: ".")),
      let seconds = text.to(dot).decimal
    else { return nil }
    let fraction = UnsafeRawBufferPointer(rebasing: text[(dot + 1)..<(text.count - 1)])
    guard fraction.count <= 9, var nanoseconds = fraction.decimal else { return nil }
    for _ in fraction.count..<9 { nanoseconds *= 10 }
    return seconds.multipliedSaturated(1_000_000_000).addingSaturated(nanoseconds)
  }
}
