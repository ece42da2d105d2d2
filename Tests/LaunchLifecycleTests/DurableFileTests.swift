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

  /// Who writes a file has locked it. The process may be one of another container, with any id.
  @Test func onlyLeftoversThatNobodyWritesAreRemoved() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "é", count: 11)
    try directory.write("", to: "\(name).\(pid_t.max).new")
    let ofAnother = try directory.write("", to: "\(name).4194305.new")
    let file = open(ofAnother, O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    try #require(flock(file, LOCK_EX) == 0)
    try DurableFile(path: directory.appending(name)).write([])
    #expect(try directory.contents().count == 2 && access(ofAnother, F_OK) == 0)
  }

  /// All programs of a terminal share its modes. What did not fit at once was lost, also the sequence that gives the screen back.
  @Test func aFileThatDoesNotBlockGetsAllBytes() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let reader = Task.detached {
      var (count, buffer) = (0, [UInt8](repeating: 0, count: 4096))
      while case let got = read(reading, &buffer, buffer.count), got > 0 { count += got }
      close(reading)
      return count
    }
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    #expect(writeAll(writing, bytes) == 0)
    close(writing)
    let count = await reader.value
    #expect(count == bytes.count)
  }

  /// A service without HOME has its state below /var/tmp. Another user, who made the directory first, could replace it.
  @Test(arguments: ["mode", "link", "owner"]) func aDirectoryOfAnotherUserIsNotUsed(kind: String) throws {
    // Only root can give a directory away.
    if kind == "owner", geteuid() != 0 { return }
    let directory = try TemporaryDirectory()
    let shared = directory.appending("shared")
    let file = DurableFile(path: shared + "/setup/mark", shared: shared)
    #expect(try file.read() == nil)
    try file.write([1])
    #expect(try file.read() == [1])
    switch kind {
    case "mode": chmod(shared, 0o770)
    case "owner": chown(shared, 1, 1)
    default:
      rename(shared, directory.appending("moved"))
      symlink("moved", shared)
    }
    func isRefusal(_ error: any Error) -> Bool {
      (error as? LifecycleError)?.code == .cannotAccess && "\(error)".hasPrefix(shared + ": ")
    }
    #expect { _ = try file.read() } throws: { isRefusal($0) }
    #expect { try file.write([2]) } throws: { isRefusal($0) }
    #expect { _ = try file.takeLock(waits: false) } throws: { isRefusal($0) }
    #expect(try DurableFile(path: file.path).read() == [1], "the directories of other files may be anybody's")
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
