// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchHistory

/// Stores of other versions: older ones are brought up, and a copy is kept; newer ones are refused.
struct HistoryMigrationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.appending("deep/history.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  /// Each has a connection of its own, as another process has.
  @Test(arguments: [nil] + OldStore.versions) func severalMayBringAStoreUpAtOnce(version: String?) async throws {
    for round in 0..<12 {
      let path = directory.appending("store-\(round).sqlite")
      if let version { try OldStore(path: path, version: version).write(commits: ["a"]) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            let store = try HistoryStore(path: path, makesNew: true)
            _ = try store.add(Measurement.synthetic(1), commit: "w\(writer)")
          }
        }
        try await group.waitForAll()
      }
      #expect(try HistoryStore(path: path, makesNew: false).launches().count == (version == nil ? 4 : 5))
    }
  }

  @Test(arguments: OldStore.versions) func anOlderStoreIsBroughtUp(version: String) throws {
    let old = try OldStore(path: directory.appending("old.sqlite"), version: version)
    try old.write(commits: ["a", "b"])
    // Twice: what is up to date stays as it is.
    for _ in 1...2 { _ = try HistoryStore(path: old.path, makesNew: false) }
    let store = try HistoryStore(path: old.path, makesNew: false)
    let kept = try store.launches()
    #expect(kept.map(\.commit) == ["a", "b"])
    #expect(kept.allSatisfy { $0.measurement.values == [.total: 5_000_000] && $0.measurement.loaded == nil })
    #expect(try store.add(Measurement.synthetic(2), commit: "c") == 2)
    #expect(try store.add(Measurement.synthetic(2), commit: "c") == 0)
    #expect(try store.launches().count == 4)
    try store.setBaseline("main", commit: "a")
    #expect(try store.commit(named: "main") == "a")
  }

  @Test(arguments: OldStore.versions) func aCopyOfAnOlderStoreIsKept(version: String) throws {
    let old = try OldStore(path: directory.appending("old.sqlite"), version: version)
    try old.write(commits: ["a", "b"])
    let copy = HistoryCopy.place(of: old.path, version: version)
    #expect(try HistoryStore(path: old.path, makesNew: false).add(Measurement.synthetic(2), commit: "c") == 2)
    guard version != OldStore.versions.last else {
      #expect(try directory.contents() == ["old.sqlite"], "what is up to date is not copied")
      return
    }
    #expect(try directory.contents() == ["old.sqlite", "old.sqlite.version-\(version)"])
    // The copy is what it was, and is left alone by whoever opens the history again.
    for _ in 1...2 { #expect(try HistoryStore(path: old.path, makesNew: false).launches().count == 4) }
    let kept = try OldStore.content(of: copy)
    #expect(kept.launches == 2 && kept.versions.last == version)
  }

  @Test func nothingIsChangedWhenTheCopyCannotBeKept() throws {
    // SQLite's journal still has a name of at most 255 bytes, the copy has not.
    let name = String(repeating: "h", count: 239) + ".sqlite"
    let old = try OldStore(path: directory.appending(name))
    try old.write(commits: ["a"])
    #expect(throws: HistoryError.self) { _ = try HistoryStore(path: old.path, makesNew: false) }
    #expect(try OldStore.content(of: old.path).versions == [OldStore.versions[0]])
    #expect(try directory.contents() == [name])
  }

  @Test func aCopyThatWasBrokenOffIsMadeAgain() throws {
    let old = try OldStore(path: directory.appending("old.sqlite"))
    try old.write(commits: ["a"])
    let copy = HistoryCopy.place(of: old.path, version: OldStore.versions[0])
    for name in ["unfinished", "unfinished-journal"] {
      try directory.write(String(repeating: "half a page\n", count: 700), to: "old.sqlite.version-1.\(name)")
    }
    _ = try HistoryStore(path: old.path, makesNew: false)
    #expect(try directory.contents().sorted() == ["old.sqlite", "old.sqlite.version-1"])
    #expect(try OldStore.content(of: copy).launches == 1)
  }

  @Test func aNewerStoreIsRefusedByName() throws {
    let old = try OldStore(path: directory.appending("new.sqlite"))
    try old.write(commits: ["a"])
    try old.pretend(version: "77")
    let error = #expect(throws: HistoryError.self) { _ = try HistoryStore(path: old.path, makesNew: false) }
    #expect(error?.code == .newer && error?.sentence == "the history \(old.path) \(error?.message ?? "")")
    #expect(error?.message.contains("newer launchprof") == true)
    #expect(try OldStore.content(of: old.path).launches == 1)
  }
}
