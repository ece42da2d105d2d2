// SPDX-License-Identifier: Apache-2.0

/// A NULL-terminated array of C strings for execve. Bytes, because neither arguments nor variables must be UTF-8.
final class CStringList {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [[UInt8]]) {
    count = strings.count
    pointer = .allocate(capacity: count + 1)
    for (index, bytes) in strings.enumerated() {
      let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
      _ = copy.initialize(from: bytes.map { CChar(bitPattern: $0) } + [0])
      (pointer + index).initialize(to: copy.baseAddress)
    }
    (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { pointer[index]?.deallocate() }
    pointer.deallocate()
  }
}
