// SPDX-License-Identifier: Apache-2.0

/// Texts that are written again and again: bytes in one pool, by number.
struct TextPool {
  private var bytes: [UInt8] = []
  private var offsets: [Int] = [0]

  init(_ texts: some Sequence<String> = []) {
    for text in texts { append(text) }
  }

  mutating func reserve(_ count: Int) { offsets.reserveCapacity(count + 1) }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    offsets.append(bytes.count)
  }

  func length(_ row: Int) -> Int { offsets[row + 1] - offsets[row] }

  @inline(__always)
  func write(_ row: Int, to output: inout OutputBuffer) {
    let (start, end) = (offsets[row], offsets[row + 1])
    bytes.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }

  @inline(__always)
  func write(_ row: Int, to other: inout [UInt8]) {
    let (start, end) = (offsets[row], offsets[row + 1])
    bytes.withUnsafeBytes { other.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
  }
}
