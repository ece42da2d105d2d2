// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchComparison

struct BuildCommandTests {
  @Test func optionsAreAddedToOneCallOfTheCompiler() {
    #expect(BuildChange("strip")?.applied(to: "swift build -c release") == "swift build -c release -Xlinker -s")
    #expect(
      BuildChange("static-stdlib")?.applied(to: "/usr/bin/swiftc a.swift") == "/usr/bin/swiftc a.swift -static-stdlib")
    #expect(BuildCommand("swift build")?.withSections.hasPrefix("swift build -Xswiftc -use-ld=lld ") == true)
    #expect(BuildCommand("swiftc a.swift")?.withSections.hasPrefix("swiftc a.swift -use-ld=lld ") == true)
  }

  @Test(arguments: ["", "make", "swift test", "swift build && strip app", "swiftc a.swift > log", "swift build; true"])
  func otherCommandsAreRefused(command: String) {
    #expect(BuildCommand(command) == nil)
    #expect(BuildChange("strip")?.applied(to: command) == nil)
  }
}
