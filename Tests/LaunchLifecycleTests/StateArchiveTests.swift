// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchLifecycle

@MainActor struct StateArchiveTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.appending("state")
  }

  private func opened() -> StateArchive {
    let archive = StateArchive(path: path)
    archive.open()
    return archive
  }

  private func save() throws {
    try StateArchive(path: path).save(
      application: StateCoder(["launches": 1]), controllers: [:], scenes: [], madeSessions: 0)
  }

  @Test func aStateThatALivingProcessRestoresIsLeftToIt() throws {
    try save()
    let first = opened()
    #expect(first.hasState)
    let second = opened()
    #expect(second.isInUse && !second.hasState)
    #expect(second.problem == nil)
    first.close()
    // The next launch gets it.
    let third = opened()
    #expect(third.applicationCoder.decode(forKey: "launches") == 1)
    third.close()
    #expect(try directory.contents() == ["state", "state.lock"])
  }

  /// The kernel releases the lock of a process that ends.
  @Test func aStateThatADeadProcessRestoredIsSetAside() throws {
    try save()
    #expect(rename(path, path + ".restoring") == 0)
    #expect(opened().problem?.path == path + ".broken")
    // Nothing is left that a further launch could find.
    let next = opened()
    #expect(next.problem == nil && !next.hasState && !next.isInUse)
  }

  @Test(arguments: ["state", "state.restoring"]) func aStateThatCannotBeSetAsideIsWhereItWas(name: String) throws {
    try directory.write("", to: name)
    // `rename` replaces no directory by a file.
    mkdir(path + ".broken", 0o700)
    let problem = try #require(opened().problem)
    #expect(problem.code == .damaged && problem.path == path)
    #expect(!problem.message.contains("aside"))
  }

  @Test func whatIsNoStateFileStaysWhereItIs() throws {
    mkdir(path, 0o700)
    let archive = opened()
    #expect(archive.problem?.code == .cannotAccess)
    #expect(archive.problem?.path == path)
    #expect(throws: LifecycleError.self) { try save() }
    #expect(try directory.contents().filter { !$0.hasSuffix(".lock") } == ["state"])
  }
}
