// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LaunchLifecycle

struct OneTimeSetupTests {
  private struct Failure: Error {}

  @Test func itRunsOnceForEachVersion() throws {
    let directory = try TemporaryDirectory()
    var runs = 0
    // Going back to version 1 is a change, too.
    for (version, isNew) in [("1", true), ("1", false), ("2", true), ("2", false), ("1", true)] {
      let ran = try OneTimeSetup("templates", version: version, directory: directory.path + "/a/b").run { runs += 1 }
      #expect(ran == isNew)
    }
    #expect(runs == 3)
    #expect(try OneTimeSetup("other", version: "1", directory: directory.path + "/a/b").run {})
  }

  @Test func whatFailsIsTriedAgain() throws {
    let directory = try TemporaryDirectory()
    let setup = OneTimeSetup("a", directory: directory.path)
    #expect(throws: Failure.self) { try setup.run { throw Failure() } }
    #expect(!setup.isDone)
    #expect(try setup.run {})
    #expect(setup.isDone)
  }

  @Test func aDamagedMarkIsNone() throws {
    let directory = try TemporaryDirectory()
    let setup = OneTimeSetup("a", directory: directory.path)
    try setup.run {}
    let bytes = Array("LPSTATE1 and no more".utf8)
    try directory.write(bytes, to: String(setup.markPath.dropFirst(directory.path.count + 1)))
    #expect(!setup.isDone)
    #expect(try setup.run {})
    #expect(setup.isDone)
  }

  @Test func noTwoNamesShareAMark() throws {
    let names = ["a/b", "a%2fb", "a b", "A B", "../a", "", "é", "a.lock", "a"]
    #expect(Set(names.map { OneTimeSetup($0, directory: "/d").markPath }).count == names.count)
    for name in names { #expect(!OneTimeSetup(name, directory: "/d").markPath.dropFirst(3).contains("/")) }
  }

  /// One of another installation, or of another program with the same name, is not this one's.
  @Test func aMarkOfAnEarlierVersionIsOneForItsInstallation() throws {
    let directory = try TemporaryDirectory()
    let setup = OneTimeSetup("a", directory: directory.path)
    for (installation, isDone) in [(StateDirectory.executable, true), ("/elsewhere/app", false)] {
      let content: PropertyList = ["name": "a", "version": "1", "installation": .string(installation)]
      try DurableFile(path: directory.appending("setup-a")).write(content.encoded())
      #expect(setup.isDone == isDone)
    }
    #expect(try setup.run {})
    #expect(try directory.contents().filter { $0.hasPrefix("setup-a") && !$0.hasSuffix(".lock") }.count == 2)
  }

  @Test func theLongestNameFits() throws {
    let directory = try TemporaryDirectory()
    #expect(try OneTimeSetup(String(repeating: "n", count: 220), directory: directory.path).run {})
  }

  @Test func aPlaceThatCannotBeWrittenIsAnErrorThatNamesIt() throws {
    let setup = OneTimeSetup("a", directory: "/proc/self/nowhere")
    var ran = false
    #expect {
      try setup.run { ran = true }
    } throws: { error in
      (error as? LifecycleError)?.code == .cannotAccess && "\(error)".contains("/proc/self/nowhere")
    }
    #expect(!ran)
  }

  /// Many at once, on threads instead of processes. flock(2) works by open file, so this makes no difference.
  @Test func oneOfManyAtOnceDoesTheWork() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let results = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try? OneTimeSetup("a", directory: path).run {
            _ = usleep(20_000)
            let file = open(path + "/ran", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if file < 0 { throw Failure() }
            close(file)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0 == true } == 1)
    #expect(results.count { $0 == false } == 7)
  }

  /// Under another spelling of its directory, it waited for its own lock for ever.
  @Test func itsWorkCannotRunItAgain() throws {
    let directory = try TemporaryDirectory()
    let (path, link) = (directory.path + "/real", directory.path + "/link")
    try #require(symlink(path, link) == 0)
    var refused = 0
    try OneTimeSetup("a", directory: path).run {
      for spelling in [path, path + "/", path + "/../real", link] {
        let same = OneTimeSetup("a", directory: spelling)
        try #require(SetupWork.isRunning(lockedBy: DurableFile(path: same.markPath).lockPath), "it would wait for ever")
        #expect(throws: LifecycleError.self) { try same.run {} }
        refused += 1
      }
      #expect(try OneTimeSetup("b", directory: path).run {}, "another one may run")
    }
    #expect(refused == 4)
  }
}
