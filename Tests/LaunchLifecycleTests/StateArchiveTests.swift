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
    try StateArchive(path: path).save(application: StateCoder(["launches": 1]), controllers: [:], scenes: [])
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
