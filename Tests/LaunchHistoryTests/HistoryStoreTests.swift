// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchHistory

/// What is added to a store is there, and files that are something else are refused.
struct HistoryStoreTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.appending("deep/history.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func launchesOfAnotherCommitAreNamed() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    let key = HistoryKey(program: "notes", machine: "m", configuration: "release")
    let rows = Measurement.synthetic(4).enumerated().map { ($0.element, "launch \($0.offset)") }
    for (commit, rows, added, others) in [
      ("abc1", rows.prefix(2), 2, []), ("abd2", rows.prefix(3), 1, ["abc1"]), ("abe3", rows[...], 1, ["abc1", "abd2"]),
    ] {
      let found = try store.add(Array(rows), key: { _ in key }, commit: commit, now: 7)
      #expect(found.added == added && found.commits == others, "\(found)")
    }
  }

  /// A CI job finds out by this whether it has to keep the file.
  @Test func whatChangesNothingLeavesTheFileAsItIs() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    let launches = Measurement.synthetic(3)
    for commit in ["abc1", "abd2"] { #expect(try store.add(launches, commit: commit) == 3) }
    try store.setBaseline("main", commit: "abd2")
    let before = try directory.bytes("deep/history.sqlite")
    #expect(try store.add(launches, commit: "abc1") == 0)
    try store.setBaseline("main", commit: "abd2")
    #expect(try store.commits() == ["abc1", "abd2"])
    #expect(try directory.bytes("deep/history.sqlite") == before)
  }

  @Test func whatIsAddedIsThere() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    var launches = Measurement.synthetic(3)
    // A baseline without a short part would say that the head's is new.
    launches[0].values[Metric(.phase, ["short"])] = 1
    launches[0].flame[["main thread", "short"]] = 1
    launches[0].means = "ptrace"
    launches[0].waits = [["main thread", "main", "sleeping"]: 1]
    launches[0].values[.state(.sleeping)] = 1
    launches[0].values[.state(.lock)] = 0
    #expect(try store.add(launches, commit: "abc1") == 3)
    // The same traces once more.
    #expect(try store.add(launches, commit: "abc1") == 0)
    let again = try HistoryStore(path: path, makesNew: false)
    let rows = try again.launches()
    #expect(rows.map(\.commit) == ["abc1", "abc1", "abc1"] && rows.allSatisfy { $0.added == 7 })
    for (row, launch) in zip(rows, launches) {
      #expect(row.measurement.values == launch.values)
      #expect(row.measurement.provenance == launch.provenance)
      #expect(row.measurement.flame == launch.flame && row.measurement.means == launch.means)
      #expect(row.measurement.waits == launch.waits)
      #expect(!row.measurement.lacksShortParts)
    }
    #expect(try again.launches(HistoryFilter(program: "other")).isEmpty)
    #expect(try again.launches(HistoryFilter(commit: "abc1")).count == 3)
    for other in ["abc", "abc2", "a_c1", "%"] {
      #expect(try again.launches(HistoryFilter(commit: other)).isEmpty, "\(other)")
    }
  }

  /// A launch with thousands of names would make the history large.
  @Test func ofManyShortPartsTheLongestAreKept() throws {
    var launch = Measurement.synthetic(1)[0]
    launch.values[.total] = 100_000_000
    for number in 1...2000 {
      launch.values[Metric(.interval, ["\(number)"])] = Double(number)
      launch.flame[["main thread", "\(number)"]] = Int64(number)
    }
    let stored = try StoredMeasurement.measurement(StoredMeasurement.json(launch))
    for (number, isKept) in [(1, false), (1400, false), (1700, true), (2000, true)] {
      #expect((stored.values[Metric(.interval, ["\(number)"])] != nil) == isKept, "\(number)")
      #expect((stored.flame[["main thread", "\(number)"]] != nil) == isKept, "\(number)")
    }
    #expect(stored.lacksShortParts && stored.values[.total] == 100_000_000 && !stored.isDamaged)
    launch.isDamaged = true
    #expect(try StoredMeasurement.measurement(StoredMeasurement.json(launch)).isDamaged)
  }

  /// Two jobs asked git at the same time, and the older one wrote last.
  @Test func aNameMovesOnlyFromWhereItWasSeen() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    #expect(try store.moveBaseline("main", from: nil, to: "a1"))
    #expect(try !store.moveBaseline("main", from: nil, to: "b2"))
    #expect(try store.moveBaseline("main", from: "a1", to: "c3"))
    #expect(try !store.moveBaseline("main", from: "a1", to: "b2"))
    #expect(try store.moveBaseline("main", from: "c3", to: "c3"))
    #expect(try store.commit(named: "main") == "c3")
  }

  /// Otherwise nothing but a new history would help.
  @Test func aDamagedLaunchCanBeRemoved() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    for commit in ["a1", "b2"] { _ = try store.add(Measurement.synthetic(2), commit: commit) }
    let connection = try SQLiteConnection(path: path, patience: 1000)
    try connection.execute("UPDATE launch SET measurement = '{}' WHERE \"commit\" = 'a1'")
    #expect(throws: HistoryError.self) { _ = try store.launches() }
    let damaged = try store.entries(HistoryFilter(commit: "a1"))
    #expect(damaged.count == 2 && damaged.allSatisfy { $0.commit == "a1" && $0.key.program == "notes" })
    #expect(try store.entries().count == 4 && store.remove(damaged.map(\.id)) == 2)
    #expect(try store.launches().map(\.commit) == ["b2", "b2"])
  }

  /// Another job named the commit after this one had chosen what to remove.
  @Test func launchesOfABaselineAreNotRemoved() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    for commit in ["a1", "b2"] { _ = try store.add(Measurement.synthetic(2), commit: commit) }
    let all = try store.launches().map(\.id)
    try store.setBaseline("main", commit: "a1")
    #expect(try store.remove(all) == 2)
    #expect(try store.commits() == ["a1"])
  }

  @Test func baselinesHaveNames() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    let ids = ["12", "34"].map { "abcdef0" + $0 + String(repeating: "0", count: 31) }
    for (number, commit) in (ids + ["release-1.10"]).enumerated() {
      _ = try store.add(Measurement.synthetic(1, seed: UInt64(number)), commit: commit)
    }
    try store.setBaseline("main", commit: ids[0])
    try store.setBaseline("main", commit: ids[1])
    #expect(try store.baselines() == [HistoryBaseline(name: "main", commit: ids[1])])
    #expect(try store.commit(named: "main") == ids[1] && store.commit(ofBaseline: "main") == ids[1])
    #expect(try store.commit(named: "abcdef01") == ids[0] && store.commit(named: ids[0]) == ids[0])
    #expect(try store.commit(named: "release-1.10") == "release-1.10")
    for (name, message) in [
      ("abcdef0", "is the beginning of 2 commits"), ("x", "no baseline or commit \"x\" (its baselines: main)"),
      ("", "no baseline or commit \"\""), ("release-1.1", "no baseline or commit"), ("abcdef", "no baseline or commit"),
    ] {
      #expect(throws: HistoryError.self) { _ = try store.commit(ofBaseline: name) }
      let error = #expect(throws: HistoryError.self) { _ = try store.commit(named: name) }
      #expect(error?.description.contains(message) == true, "\(name): \(error?.description ?? "")")
      #expect(error?.isOfUnknownName == (name != "abcdef0"), "\(name)")
      // The beginning of several commits is the subject of its message.
      let separator = name == "abcdef0" ? ":" : ""
      #expect(error.map { $0.sentence == "the history \(path)\(separator) \($0.message)" } == true, "\(name)")
    }
  }

  @Test func aBaselineIsOfOneCommitProgramAndConfiguration() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    for (commit, program, configuration, count) in [
      ("1", "notes", "release", 1), ("10", "notes", "release", 2), ("1", "other", "release", 4),
      ("2", "notes", "release", 8), ("2", "notes", "debug", 16),
      // A scenario of the same program made the gate without scenarios lose its baseline.
      ("4", "notes", "default", 3), ("4", "notes", "first start", 5), ("4", "other", "release", 7),
    ] {
      let key = HistoryKey(program: program, machine: "m", configuration: configuration)
      let rows = Measurement.synthetic(count).enumerated().map { ($0.element, "\(commit) \(key) \($0.offset)") }
      _ = try store.add(rows, key: { _ in key }, commit: commit, now: 7)
    }
    try store.setBaseline("main", commit: "10")
    func count(_ reference: String, _ programs: Set<String>, _ configuration: String? = nil) throws -> Int {
      try store.baseline(reference, programs: programs, configuration: configuration).count
    }
    #expect(try count("1", ["notes"]) == 1)
    #expect(try count("1", ["notes"], "release") == 1)
    #expect(try count("1", ["notes", "other"]) == 5)
    #expect(try count("main", ["notes"]) == 2)
    #expect(try count("2", ["notes"], "debug") == 16)
    // Launches of a scenario are no base of those without one.
    #expect(try store.usualConfiguration(of: ["notes"]) == "default")
    #expect(try store.usualConfiguration(of: ["notes", "other"]) == nil)
    #expect(try store.usualConfiguration(of: ["other"]) == nil)
    #expect(try count("4", ["notes"], "default") == 3)
    #expect(try count("4", ["notes"], "first start") == 5)
    #expect(throws: HistoryError.self, "it has several configurations") { _ = try count("4", ["notes"]) }
    for (reference, program, configuration, message) in [
      ("2", "notes", nil, "commit 2 has several configurations: debug, release; choose one with --configuration"),
      ("1", "app", nil, "commit 1 has no launch of app; it has launches of notes (release), other (release)"),
      ("main", "notes", "debug", "no launch of notes with the configuration debug; it has launches of notes (release)"),
      ("main", "other", nil, "commit 10 has no launch of other"), ("3", "notes", nil, "no baseline or commit"),
    ] as [(String, String, String?, String)] {
      let error = #expect(throws: HistoryError.self) { _ = try count(reference, [program], configuration) }
      #expect(error?.code == .notFound && error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
  }

  /// The runners of one pool: a job ran again on another one.
  @Test func ofSeveralMachinesTheHeadsOwnIsTheBaseline() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    for (machine, count) in [("a", 1), ("b", 2)] {
      let rows = Measurement.synthetic(count).enumerated().map { number, launch in
        var launch = launch
        launch.provenance.fields[.machine] = machine
        return (launch, "\(machine) \(number)")
      }
      // As `history add --machine` names them.
      let key = HistoryKey(program: "notes", machine: "pool", configuration: "release")
      _ = try store.add(rows, key: { _ in key }, commit: "1", now: 7)
    }
    for (machines, count) in [(["a"], 1), (["b"], 2), (["a", "b"], 3), (["c"], 3), ([], 3)] as [(Set<String>, Int)] {
      let found = try store.baseline("1", programs: ["notes"], configuration: nil, machines: machines)
      #expect(found.count == count, "\(machines)")
    }
  }

  @Test func theLatestCommitsSayHowMuchSessionsDiffer() throws {
    let store = try HistoryStore(path: path, makesNew: true)
    func add(_ commits: Range<Int>, program: String = "notes") throws {
      for commit in commits {
        // Each commit takes 4 % more than the one before it, or 4 % less.
        var launches = Measurement.synthetic(3)
        for place in launches.indices { launches[place].values[.total] = commit.isMultiple(of: 2) ? 1e8 : 1.04e8 }
        let key = HistoryKey(program: program, machine: "m", configuration: "release")
        let rows = launches.enumerated().map { ($0.element, "\(program) \(commit) \($0.offset)") }
        _ = try store.add(rows, key: { _ in key }, commit: "c\(commit)", now: 7)
      }
    }
    func measured(_ metric: Metric = .total) throws -> SessionSpread.Measured? {
      try store.spread(around: store.baseline("c3", programs: ["notes"], configuration: nil))?.measured(metric)
    }
    try add(0..<7)
    try add(7..<20, program: "other")
    #expect(try measured() == nil)
    try add(7..<8)
    let eight = try #require(try measured())
    #expect(eight.commits == 8 && abs(eight.deviation - 0.03922) < 1e-5 && abs(eight.freedom - 14.0 / 3) < 1e-9)
    #expect(try measured(Metric(.phase, ["open-database"])) != nil && measured(Metric(.phase, ["none"])) == nil)
    try add(8..<50)
    #expect(try measured()?.commits == 40)
  }

  @Test func severalWritersLoseNothing() async throws {
    let path = path
    _ = try HistoryStore(path: path, makesNew: true)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<3 {
        group.addTask {
          // A connection of its own, as another process has.
          let store = try HistoryStore(path: path, makesNew: false)
          var added = 0
          for round in 0..<8 {
            added += try store.add(Measurement.synthetic(1, seed: 3), commit: "w\(writer)", from: round)
          }
          return added
        }
      }
      var added = 0
      for try await count in group { added += count }
      #expect(added == 24)
    }
    #expect(try HistoryStore(path: path, makesNew: false).launches().count == 24)
  }

  @Test func whatIsNoStoreSaysWhy() throws {
    let text = try directory.write(String(repeating: "no database at all\n", count: 90), to: "text.sqlite")
    let damaged = #expect(throws: HistoryError.self) { _ = try HistoryStore(path: text, makesNew: true) }
    #expect(damaged?.code == .damaged && damaged?.message.contains("is not a history") == true)
    #expect(damaged?.sentence.hasPrefix("the history \(text) is not a history") == true)
    let absent = #expect(throws: HistoryError.self) { _ = try HistoryStore(path: path, makesNew: false) }
    #expect(absent?.message.contains("create it with launchprof history add") == true)
    #expect(absent?.sentence.hasPrefix("the history \(path): there is no history yet") == true)
    let folder = #expect(throws: HistoryError.self) { _ = try HistoryStore(path: directory.path, makesNew: true) }
    #expect(folder?.code == .cannotOpen)
  }

  /// A typing error in `--store` must not add tables to the database of another program.
  @Test(arguments: [
    "CREATE TABLE launch (rocket TEXT)", "CREATE TABLE grdb_migrations (identifier TEXT)", "CREATE VIEW v AS SELECT 1",
  ])
  func theDatabaseOfAnotherProgramStaysAsItIs(statement: String) throws {
    let path = directory.appending("other.sqlite")
    try SQLiteConnection(path: path).execute(statement)
    let before = try directory.bytes("other.sqlite")
    for makesNew in [true, false] {
      let error = #expect(throws: HistoryError.self) { _ = try HistoryStore(path: path, makesNew: makesNew) }
      #expect(error?.code == .foreign && error?.message.contains("--store") == true, "\(error?.description ?? "")")
      #expect(error?.sentence.hasPrefix("the history \(path) is a database") == true, "\(error?.sentence ?? "")")
    }
    #expect(try directory.bytes("other.sqlite") == before)
    #expect(try directory.contents() == ["other.sqlite"])
  }

  /// The text in the store is what earlier versions wrote and read.
  @Test func aStoredLaunchKeepsItsText() throws {
    let text = """
      {"arguments":["-v"],"end":"ready","fields":{"machine":"m"},"flame":[{"path":["main thread","a/b"],"time":7}],\
      "globals":[{"name":"app.b","time":5},{"name":"app.a","time":0}],\
      "image":{"buildID":"ab","bytes":9,"initializers":3,"libraries":["libc.so.6"],"libraryBytes":5,"relocations":2,\
      "toolchain":"GCC"},"isCPUOfLaunch":true,"leftOut":"failed","loaded":{"bytes":4,"mapped":["m"],"opened":[]},\
      "lookups":[],"name":"é\\u000a.pftrace","program":"/a","round":1,"session":"s","side":"head",\
      "values":[{"group":"total","path":["total"],"value":0.5}]}
      """
    let stored = try StoredMeasurement.measurement(text)
    #expect(StoredMeasurement.json(stored) == text && stored.lacksShortParts)
    #expect(stored.name == "é\n.pftrace" && stored.loaded?.mapped == ["m"])
    #expect(stored.provenance.image?.toolchain == "GCC" && stored.leftOut == .failed)
    #expect(stored.globals?.names == ["app.b", "app.a"] && stored.globals?.times == ["app.b": 5, "app.a": 0])
    #expect(stored.lookups?.names == [])
    for broken in ["", "[]", "{", "{}", String(text.dropLast()), text.replacing("\"round\"", with: "\"r\"")] {
      #expect(throws: StoredMeasurement.Damage.self, "\(broken)") { _ = try StoredMeasurement.measurement(broken) }
    }
    // Earlier versions stored a library's initialisers under the name of its link.
    let twice = text.replacing("[\"m\"]", with: "[\"libz.so.1.2\"]").replacing(
      "\"values\":[",
      with: "\"values\":[{\"group\":\"library\",\"path\":[\"libz.so.1\"],\"value\":3},"
        + "{\"group\":\"library\",\"path\":[\"libz.so.1.2\"],\"value\":4},")
    let joined = try StoredMeasurement.measurement(twice)
    #expect(joined.values.filter { $0.key.group == .library } == [Metric(.library, ["libz.so.1.2"]): 7])
    // Another tool may have written what no launch can have.
    let impossible = text.replacing("0.5", with: "1e300").replacing("\"time\":7", with: "\"time\":9000000000000000000")
    let rest = try StoredMeasurement.measurement(impossible)
    #expect(rest.values.isEmpty && rest.flame.isEmpty)
  }
}
