// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchObserver

struct ExecutedFileTests {
  /// It kept a descriptor for each time.
  @Test func aProgramThatExecutesItselfHasOneFile() throws {
    let first = try #require(ExecutedFile.of(getpid(), known: []))
    #expect(ExecutedFile.of(getpid(), known: [first]) === first)
    #expect(ExecutedFile.of(getpid(), known: []) !== first)
  }
}
