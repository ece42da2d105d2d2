// SPDX-License-Identifier: Apache-2.0

/// A NULL-terminated array of C strings for execve. Bytes, because neither arguments nor variables must be UTF-8.
final class CStringList {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [[UInt8]]) {
    count = strings.count
    pointer = .allocate(capacity: count + 1)
    for (index, bytes) in strings.enumerated() {
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (offset, byte) in bytes.enumerated() { (copy + offset).initialize(to: CChar(bitPattern: byte)) }
      (copy + bytes.count).initialize(to: 0)
      (pointer + index).initialize(to: copy)
    }
    (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { pointer[index]?.deallocate() }
    pointer.deallocate()
  }
}
