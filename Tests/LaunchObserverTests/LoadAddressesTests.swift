// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem
import TestSupport
import Testing

@testable import LaunchObserver

/// Where breakpoints go in a process.
struct LoadAddressesTests {
  /// As for a program with another root, whose loader is not the file that the launcher finds.
  @Test func anotherLoaderThanTheOneInMemoryIsNotUsed() throws {
    let directory = try TemporaryDirectory()
    let source =
      "#include <unistd.h>\nint main(void) { char byte; write(1, \"x\\n\", 2); return read(0, &byte, 1) != 0; }"
    let standard = try CompiledProgram.c(source, "standard", in: directory)
    let path = try #require(ProgramImage(path: standard)?.interpreter)
    let loader = directory.appending("loader.so")
    var bytes = try readFile(path, limit: 1 << 24)
    try directory.write(bytes, to: "loader.so")
    chmod(loader, 0o755)
    let program = try CompiledProgram.c(source, "program", ["-Wl,--dynamic-linker=\(loader)"], in: directory)
    let process = try RunningProcess.start(program)
    try #require(process.ask([], timeout: 60) != nil)
    let found = try #require(LoadAddresses(processID: process.processID, images: ImageCache()))
    #expect(found.loader != nil && found.notification != nil)

    // The version of the file's format, which no loader looks at.
    bytes[8] ^= 1
    try directory.write(bytes, to: "other.so")
    #expect(rename(directory.appending("other.so"), loader) == 0)
    let other = try #require(LoadAddresses(processID: process.processID, images: ImageCache()))
    #expect(other.loader == nil && other.notification == nil)
    #expect(other.entry == found.entry && other.main == found.main)
    #expect(try process.finish().succeeded)
  }
}
