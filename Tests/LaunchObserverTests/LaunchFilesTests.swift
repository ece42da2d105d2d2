// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchObserver

struct LaunchFilesTests {
  @Test func aProgramsFilesAreFound() throws {
    let directory = try TemporaryDirectory()
    let data = try directory.write("x", to: "data")
    let paths = LaunchFiles(
      program: "sh", arguments: ["-c", data, "/", "/no/such"].map { Array($0.utf8) }, environment: LaunchEnvironment()
    ).paths
    #expect(paths.contains(data))
    #expect(paths.contains { $0.hasSuffix("/sh") })
    #expect(paths.contains { $0.contains("/libc.so") })
    #expect(!paths.contains("/no/such") && !paths.contains("/"))
    #expect(LaunchFiles(program: "no-such-program", arguments: [], environment: LaunchEnvironment()).paths.isEmpty)
  }

  /// env(1) gets its options and the program in one argument.
  @Test(arguments: ["sh", "-S sh -u", "-S -u NO_SUCH_NAME NAME=value sh"]) func aScriptMayNameEnv(words: String) throws
  {
    let directory = try TemporaryDirectory()
    let script = try directory.write("#!/usr/bin/env \(words)\n", to: "script")
    chmod(script, 0o755)
    let paths = LaunchFiles(program: script, arguments: [], environment: LaunchEnvironment()).paths
    for name in ["/env", "/sh"] { #expect(paths.contains { $0.hasSuffix(name) }, "\(paths)") }
  }

  @Test func filesAreEvictedOnce() throws {
    let directory = try TemporaryDirectory(in: PackageRoot.appending(".build"))
    let file = try directory.write([UInt8](repeating: 1, count: 100_000), to: "file")
    symlink(file, directory.appending("link"))
    let eviction = FileEviction(of: [file, directory.appending("link"), directory.path, "/no/such", "/dev/null"])
    #expect(eviction.files == 1 && eviction.bytes == 100_000 && eviction.kept.isEmpty && eviction.unknown == 0)
    #expect(FileEviction(of: []).files == 0)
  }
}
