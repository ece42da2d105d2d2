// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// A program does what its name says, and its file may have another one.
struct ExecutedNameTests {
  @Test func theNameOfALinkIsTheProgramsName() {
    let path = "/usr/bin/redis-check-rdb"
    #expect(ExecutedName.name(first: "redis-server", inKernel: "redis-server", path: path) == "redis-server")
    #expect(ExecutedName.name(first: "/usr/bin/redis-server", inKernel: "redis-server", path: path) == "redis-server")
    #expect(ExecutedName.name(first: "gcc-for-this-machine", inKernel: "gcc-for-this-ma", path: path) != nil)
  }

  /// A login shell has `-bash`, a script its interpreter, and a program may change its names.
  @Test func anArgumentThatIsNoNameDoesNotCount() {
    #expect(ExecutedName.name(first: "-bash", inKernel: "bash", path: "/usr/bin/bash") == nil)
    #expect(ExecutedName.name(first: "/usr/bin/python3", inKernel: "tool.py", path: "/usr/bin/python3.11") == nil)
    #expect(ExecutedName.name(first: "app", inKernel: "app", path: "/usr/bin/app") == nil)
    #expect(ExecutedName.name(first: "", inKernel: "", path: "/usr/bin/app") == nil)
    #expect(ExecutedName.name(first: "app", inKernel: "app", path: "") == nil)
  }
}
