// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc

/// Counts what was certainly committed, in a file that outlives the process.
struct Ledger: @unchecked Sendable {
  static let rowCount = 16
  static let wordsPerRow = 8
  private let words: UnsafeMutablePointer<UInt>

  struct Failure: Error {
    let code: Int32
  }

  init(path: String) throws(Failure) {
    let size = Self.rowCount * Self.wordsPerRow * 8
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, size) == 0,
      let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), address != MAP_FAILED
    else { throw Failure(code: errno) }
    close(descriptor)
    words = address.assumingMemoryBound(to: UInt.self)
  }

  func begin(row: Int) { words[row * Self.wordsPerRow] = UInt(ct_thread_id()) }
  func roundDone(row: Int) { ct_count(words + row * Self.wordsPerRow + 1) }
}
