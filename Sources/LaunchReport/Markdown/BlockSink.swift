// SPDX-License-Identifier: Apache-2.0

/// Writes a block of code in Markdown, in a fence that its content cannot close. A text of many megabytes is not kept: its fence
/// is longer than its lines.
final class BlockSink: ByteSink {
  private static let most = 1 << 20

  private let sink: any ByteSink
  private let width: Int
  private var held: [UInt8] = []
  /// Empty until the block has begun.
  private var fence = ""

  /// - Parameter width: that of the lines, in columns.
  init(_ sink: any ByteSink, width: Int) { (self.sink, self.width) = (sink, width) }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if !fence.isEmpty { return try sink.write(bytes) }
    held.append(contentsOf: bytes)
    // A narrow page may have lines that are longer.
    if held.count > Self.most { try begin(String(repeating: "`", count: max(200, width * 2))) }
  }

  /// - Throws: what the sink throws.
  func finish() throws {
    if fence.isEmpty { try begin(Self.fence(around: held)) }
    try write("\(fence)\n\n")
  }

  private func begin(_ newFence: String) throws {
    fence = newFence
    try write("\(fence)text\n")
    try held.withUnsafeBytes(sink.write)
    held = []
  }

  private func write(_ text: String) throws { try Array(text.utf8).withUnsafeBytes(sink.write) }

  /// A fence longer than any run of backticks in the text.
  static func fence(around text: some Sequence<UInt8>) -> String {
    var (longest, run) = (0, 0)
    for byte in text {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: max(3, longest + 1))
  }
}
