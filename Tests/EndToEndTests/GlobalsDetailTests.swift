import Glibc
import TestSupport
import Testing

/// `record --detail globals`: which lazy globals a launch initialises, in any program.
struct GlobalsDetailTests {
  private let launchprof: Launchprof

  init() throws {
    try requirePerf()
    launchprof = try Launchprof()
  }

  private var directory: TemporaryDirectory { launchprof.directory }
  private static let options = ["--detail", "globals", "--ready", "exit"]

  private func globals(_ command: [String]) throws -> (text: String, table: ReportedGlobals) {
    let (run, trace) = try launchprof.record(command, options: Self.options)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let report = try JSONReport(launchprof, trace)
    return (run.text, try #require(ReportedGlobals(report), "\(run.errorText)"))
  }

  @Test(.enabled(if: geteuid() == 0), arguments: LazyProgram.linkModes, ["-O", "-Onone"])
  func theProgramsOwnAreNamedHoweverItIsLinked(mode: [String], level: String) throws {
    let program = try LazyProgram.build(mode + [level], in: directory)
    let (text, table) = try globals([program])
    let own = table.globals.filter { $0.owner == "program" }
    #expect(Set(own.map(\.name)).isSubset(of: ["lazy.Catalogue.all", "lazy.lines"]), "\(own)")
    let catalogue = try #require(table["lazy.Catalogue.all"])
    let time = try #require(LazyProgram.times(text)["Catalogue.all"])
    #expect(catalogue.isOnMainThread && catalogue.duration >= time && catalogue.asker.contains("useCatalogue"))
    #expect(table.globals.contains { $0.owner == "language" })
  }

  /// Its functions have no names then, and are found all the same.
  @Test(.enabled(if: geteuid() == 0)) func aStrippedStaticProgramToo() throws {
    let program = try LazyProgram.build(["-O", "-static-executable"], in: directory)
    let whole = try globals([program]).table
    try Compiler.run("strip", [program], in: directory)
    let (text, table) = try globals([program])
    #expect(table.globals.count == whole.globals.count)
    let time = try #require(LazyProgram.times(text)["Catalogue.all"])
    let longest = try #require(table.globals.max { $0.duration < $1.duration })
    #expect(longest.duration >= time && longest.owner == "unknown" && longest.name.hasPrefix("lazy+0x"))
  }

  /// One initialises, and the other one waits for it: the times of work add up to what was worked.
  @Test(.enabled(if: geteuid() == 0), arguments: LazyProgram.linkModes)
  func aThreadThatWaitsDoesNotWork(mode: [String]) throws {
    let (text, table) = try globals([try LazyProgram.build(mode + ["-O"], in: directory), "threads"])
    let (outer, inner) = (try #require(table["lazy.Shared.outer"]), try #require(table["lazy.Shared.inner"]))
    let times = LazyProgram.times(text)
    let (outerTime, innerTime) = (try #require(times["Shared.outer"]), try #require(times["Shared.inner"]))
    #expect(!outer.isOnMainThread && !inner.isOnMainThread)
    #expect(outer.duration >= outerTime + innerTime && outer.duration - inner.duration >= outerTime)
    #expect(abs(outer.selfTime + inner.duration - outer.duration) < 100_000)
    #expect(outer.waits.count == 1 && inner.waits.isEmpty)
    #expect(table.globals.count { $0.name.contains("Shared.outer") } == 1)
    #expect(try #require(outer.waits.first) < outer.duration)
  }

  /// As many as the code ran, by a simulated processor.
  @Test(.enabled(if: geteuid() == 0)) func countsAreThoseOfCallgrind() throws {
    let program = try LazyProgram.build(["-O"], in: directory)
    let table = try globals([program]).table
    let output = directory.appending("callgrind.out")
    try Compiler.run(
      "valgrind", ["--tool=callgrind", "--callgrind-out-file=\(output)", "--compress-strings=no", program],
      in: directory)
    let lines = String(decoding: try contents(output), as: UTF8.self).split(separator: "\n")
    let calls = zip(lines, lines.dropFirst()).reduce(0) { sum, pair in
      guard pair.0.hasPrefix("cfn="), pair.0.contains("once_slow"), pair.1.hasPrefix("calls=") else { return sum }
      return sum + (Int(pair.1.dropFirst("calls=".count).prefix { $0.isNumber }) ?? 0)
    }
    #expect(calls == table.globals.count && calls > 0)
  }

  /// A shell is no Swift program; what it executes is.
  @Test(.enabled(if: geteuid() == 0)) func aWrapperIsNoMatter() throws {
    let program = try LazyProgram.build(["-O"], in: directory)
    let table = try globals(["/bin/sh", "-c", "exec \(program)"]).table
    #expect(table["lazy.Catalogue.all"] != nil)
  }

  @Test(.enabled(if: geteuid() == 0)) func aProgramWithoutSwiftHasNone() throws {
    let (run, trace) = try launchprof.record(["/bin/true"], options: Self.options)
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("--detail globals: no code of Swift's runtime was found"), "\(run.errorText)")
    #expect(try JSONReport(launchprof, trace).launch["lazyGlobals"] == nil)
  }

  @Test func nothingIsWatchedWithoutAnObserver() throws {
    let run = try launchprof.run(["record", "--no-observation", "--detail", "globals", "--", "/bin/true"])
    #expect(run.outcome == .exited(64) && run.errorText.contains("--detail globals"))
  }
}
