// SPDX-License-Identifier: Apache-2.0

/// Reads folded stacks, as `stackcollapse-*` and async-profiler write them: `outer;inner;innermost 12` in each line.
///
/// The format has no times, so the time of a sample is the sum of the weights before it.
struct FoldedReader: TraceImporter {
  private var builder = TraceBuilder(format: .folded)

  /// Two thirds of the lines must be stacks, and half of these must have more than one frame. This rejects other text
  /// whose lines end with numbers.
  static func recognizes(_ head: FileHead) -> Bool {
    let lines = head.lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    let stacks = lines.filter { beforeNumber($0) != nil }
    if isDifference(stacks) { return false }
    return !stacks.isEmpty && stacks.count * 3 >= lines.count * 2
      && stacks.count { $0.utf8.contains(UInt8(ascii: ";")) } * 2 >= stacks.count
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    var reader = FoldedReader()
    var lines = FileLines(input)
    while let line = try lines.next() { reader.read(line.bytes, at: lines.offset) }
    reader.builder.trace.statistics.bytes = input.offset
    reader.builder.addUpWeights()
    return reader.builder.finish()
  }

  /// Whether each line has two counts, before and after a change, as `difffolded.pl` writes them. It has one line for each
  /// stack; what repeats is a stack whose innermost names end with numbers.
  static func isDifference(_ lines: [Substring]) -> Bool {
    let stacks = lines.compactMap { beforeNumber($0).flatMap(beforeNumber) }
    return stacks.count == lines.count && stacks.contains { $0.contains(";") } && Set(stacks).count == stacks.count
  }

  /// What comes before the blank and the number at the end of a line; nil if it ends with none: then it is not a stack.
  private static func beforeNumber(_ line: Substring) -> Substring? {
    var line = line
    while line.last == " " || line.last == "\t" { line.removeLast() }
    guard let blank = line.lastIndex(of: " "), blank > line.startIndex else { return nil }
    let number = line[line.index(after: blank)...]
    return number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? line[..<blank] : nil
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, at offset: Int) {
    let line = line.trimmed
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return }
    guard let blank = line.lastIndex(of: 0x20), let weight = Self.weight(line.from(blank + 1)) else {
      return builder.report("a line that is not `stack count`; skipped", at: offset)
    }
    guard builder.hasRoomForSample(TraceLimits.textSamples(bytes: offset)) else { return }
    builder.limitText(bytes: offset)
    builder.sample(track: nil, time: 0, stack: stack(line.to(blank).trimmed), weight: weight)
  }

  private mutating func stack(_ names: UnsafeRawBufferPointer) -> Int32 {
    var stack: Int32 = -1
    var start = 0
    while start < names.count {
      let end = names[start...].firstIndex(of: UInt8(ascii: ";")) ?? names.count
      let name = UnsafeRawBufferPointer(rebasing: names[start..<end])
      if !name.isEmpty {
        guard let function = builder.frameName(utf8: name),
          let place = builder.place(of: StackTable.Frame(function: function)),
          let next = builder.row(of: place, below: stack)
        else { break }
        stack = next
      }
      start = end + 1
    }
    return stack
  }

  /// Whole numbers; some tools write decimals, which are rounded. Negative ones are ignored and counted later.
  private static func weight(_ text: UnsafeRawBufferPointer) -> Int64? {
    if let whole = text.decimal { return whole }
    guard text.count < 40, let value = Double(String(decoding: text, as: UTF8.self)), abs(value) < 9e18 else {
      return nil
    }
    return Int64(value.rounded())
  }
}
