/// Finds a trace's format from its first bytes; file names say nothing.
enum FormatDetection {
  /// How many bytes it wants to see.
  static let prefix = 1 << 16

  static func format(of bytes: UnsafeRawBufferPointer) -> TraceFormat? {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(prefix))
    if !isText(bytes), isPerfetto(bytes) { return .perfetto }
    var text = bytes
    // A UTF-8 byte order mark.
    if text.starts(with: [0xef, 0xbb, 0xbf]) { text = UnsafeRawBufferPointer(rebasing: text.dropFirst(3)) }
    guard let first = text.first(where: { $0 > 0x20 }) else { return nil }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .chromeJSON }
    if first == UInt8(ascii: "<") {
      return String(decoding: text.prefix(4096), as: UTF8.self).contains("trace-query-result") ? .instruments : nil
    }
    return textFormat(String(decoding: text.prefix(4096), as: UTF8.self))
  }

  /// No control characters but those that text has.
  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.prefix(4096).allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) || $0 == 0x1b }
  }

  /// Its fields are those of a `Trace`: packets, or filler.
  private static func isPerfetto(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard var cursor = bytes.baseAddress else { return false }
    let end = cursor + bytes.count
    guard let tag = ProtobufFields.varint(&cursor, end), tag & 7 == 2, (8..<128).contains(tag),
      let length = ProtobufFields.varint(&cursor, end)
    else { return false }
    if tag != 0x0a { return true }
    if length > UInt64(end - cursor) { return length < 1 << 31 }
    return TracePacket(UnsafeRawBufferPointer(start: cursor, count: Int(length))) != nil
  }

  private static func textFormat(_ text: String) -> TraceFormat? {
    let lines = text.split(whereSeparator: \.isNewline)
    for line in lines.prefix(100) {
      if line.hasPrefix("# ========") || line.hasPrefix("# captured on") { return .perfScript }
      if line.hasPrefix("#") { continue }
      if InstrumentsReader.isHeader(line) { return .instruments }
      if DyldStatisticsReader.isHeader(line) { return .dyldStatistics }
      if PerfScriptReader.isHeader(line) { return .perfScript }
      if FoldedReader.isStack(line) { return .folded }
    }
    return nil
  }
}
