// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Byte strings by number. Each is kept once, up to a limit.
struct InternedTexts {
  /// By number.
  private(set) var texts: [[UInt8]] = []
  private var index = RowIndex()
  private let most: Int
  /// A record is much like the one before.
  private var last = 0

  init(most: Int) { self.most = most }

  /// The number of these bytes, new or old; nil when they are new and there are too many.
  mutating func number(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if last < texts.count, isEqual(last, bytes) { return last }
    let hash = RowHash.of(bytes)
    if let number = index.row(hash: hash, isSame: { isEqual($0, bytes) }) {
      last = number
      return number
    }
    guard texts.count < most else { return nil }
    texts.append([UInt8](bytes))
    index.add(texts.count - 1, hash: hash)
    return texts.count - 1
  }

  /// Whether these are the bytes of that number.
  func isEqual(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    texts[number].withUnsafeBytes { $0.isEqual(to: bytes) }
  }
}
