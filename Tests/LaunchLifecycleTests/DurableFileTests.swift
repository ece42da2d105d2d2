// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchLifecycle

struct DurableFileTests {
  /// A container may have its state in the root directory. `write` flushes this directory, so that the new name lasts.
  @Test func theDirectoryOfAFile() throws {
    #expect(try DurableFile(path: "/state").makeDirectory() == "/")
    #expect(try DurableFile(path: "state").makeDirectory() == ".")
    #expect(try DurableFile(path: "/tmp/state").makeDirectory() == "/tmp")
  }

  @Test func whatCouldNotBeReadIsNotWritten() throws {
    let directory = try TemporaryDirectory()
    let file = DurableFile(path: directory.appending("state"))
    try file.write([1])
    let error = #expect(throws: LifecycleError.self) { try file.write([UInt8](repeating: 0, count: 64 << 20)) }
    #expect(error?.code == .cannotAccess)
    #expect(try file.read() == [1])
    #expect(try directory.contents() == ["state"])
  }

  /// The number in a leftover's name is that of the process that wrote it.
  @Test func leftoversOfProcessesThatAreGoneAreRemoved() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "é", count: 11)
    try directory.write("", to: "\(name).\(pid_t.max).new")
    let ofAnother = try directory.write("", to: "\(name).\(getppid()).new")
    try DurableFile(path: directory.appending(name)).write([])
    #expect(try directory.contents().count == 2 && access(ofAnother, F_OK) == 0)
  }

  /// The path may be a mistake of the program. What is there belongs to somebody else.
  @Test(arguments: ["directory", "pipe", "link"]) func onlyARegularFileIsReadOrReplaced(kind: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("state")
    switch kind {
    case "directory": mkdir(path, 0o700)
    case "pipe": mkfifo(path, 0o600)
    default: symlink(try directory.write("text", to: "target"), path)
    }
    func isRefusal(_ error: any Error) -> Bool { (error as? LifecycleError)?.code == .cannotAccess }
    #expect { _ = try DurableFile(path: path).read() } throws: { isRefusal($0) }
    #expect { try DurableFile(path: path).write([1]) } throws: { isRefusal($0) }
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & S_IFMT == ["directory": S_IFDIR, "pipe": S_IFIFO, "link": S_IFLNK][kind])
    #expect(try directory.contents().filter { $0 != "target" } == ["state"])
  }
}
