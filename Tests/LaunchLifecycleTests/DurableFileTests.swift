// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchLifecycle

struct DurableFileTests {
  /// A container may have its state in the root directory. `write` flushes this directory, so that the new name lasts.
  @Test func theDirectoryOfAFile() throws {
    #expect(try DurableFile(path: "/state").makeDirectory() == "/")
    #expect(try DurableFile(path: "state").makeDirectory() == ".")
    #expect(try DurableFile(path: "/tmp/state").makeDirectory() == "/tmp")
  }
}
