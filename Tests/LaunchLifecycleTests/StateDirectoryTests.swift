// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchLifecycle

struct StateDirectoryTests {
  /// After an update, the program that still runs must find its state.
  @Test func anUpdatedProgramKeepsItsPath() throws {
    let directory = try TemporaryDirectory()
    let program = directory.appending("program")
    #expect(StateDirectory.path(linkedTo: program) == program)
    #expect(StateDirectory.path(linkedTo: program + " (deleted)") == program)
    // A file may have such a name.
    let odd = try directory.write("", to: "odd (deleted)")
    #expect(StateDirectory.path(linkedTo: odd) == odd)
  }
}
