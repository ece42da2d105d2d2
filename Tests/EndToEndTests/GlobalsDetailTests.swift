import Glibc
import TestSupport
import Testing

/// `record --detail globals`: which lazy globals a launch initialises, in any program. One at a time: a probe in a library takes
/// breakpoint instructions away that others have there.
@Suite(.serialized) struct GlobalsDetailTests {
  private let launchprof: Launchprof

  init() throws {
    try requirePerf()
    launchprof = try Launchprof()
  }

  private var directory: TemporaryDirectory { launchprof.directory }
  private static let options = ["--detail", "globals", "--ready", "exit"]

  /// By what calls are seen: probes need root.
  enum Means: String, CaseIterable { case uprobes, ptrace }

  /// What there is to test here: root is tried as an ordinary user, too.
  private static let means: [Means] = geteuid() == 0 ? [.ptrace, .uprobes] : [.ptrace]

  private func globals(
    _ command: [String], by means: Means = Self.means[0]
  ) throws -> (text: String, table: ReportedGlobals) {
    try Self.waitForProbesToGo()
    let trace = directory.appending("\(means).pftrace")
    chmod(directory.path, 0o777)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let run = try TestProcess.run(
      "/usr/bin/env",
      (means == .ptrace && geteuid() == 0 ? user : [])
        + [Launchprof.path, "record", "-q", "-o", trace] + Self.options + ["--"] + command,
      adding: ["HOME": directory.path, "TMPDIR": directory.path, "XDG_RUNTIME_DIR": "", "LC_ALL": "C.UTF-8"],
      directory: directory.path)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    chmod(trace, 0o644)
    let table = try #require(ReportedGlobals(try JSONReport(launchprof, trace)), "\(run.errorText)")
    #expect(table.means == means.rawValue)
    unlink(trace)
    return (run.text, table)
  }

  /// The command leaves a process behind that closes its probes.
  private static func waitForProbesToGo() throws {
    func isThere() throws -> Bool {
      try TestProcess.run("/usr/bin/pgrep", ["--exact", "--runstates", "R,S,D", "probes-closing"]).succeeded
    }
    for _ in 0..<300 where try isThere() { usleep(100_000) }
    if try isThere() { throw ToolFailure("a launchprof is still closing its probes") }
  }

  @Test(arguments: LazyProgram.linkModes, ["-O", "-Onone"])
  func theProgramsOwnAreNamedHoweverItIsLinked(mode: [String], level: String) throws {
    let program = try LazyProgram.build(mode + [level], in: directory)
    for means in Self.means {
      let (text, table) = try globals([program], by: means)
      let own = table.globals.filter { $0.owner == "program" }
      #expect(Set(own.map(\.name)).isSubset(of: ["lazy.Catalogue.all", "lazy.lines"]), "\(own)")
      let catalogue = try #require(table["lazy.Catalogue.all"])
      let time = try #require(LazyProgram.times(text)["Catalogue.all"])
      #expect(catalogue.isOnMainThread && catalogue.duration >= time - 300_000)
      #expect(catalogue.asker.contains("useCatalogue") || catalogue.asker.contains("main"), "\(catalogue)")
      #expect(table.globals.contains { $0.owner == "language" })
    }
  }

  /// Its functions have no names then, and are found all the same.
  @Test func aStrippedStaticProgramToo() throws {
    let program = try LazyProgram.build(["-O", "-static-executable"], in: directory)
    let whole = try globals([program]).table
    try Compiler.run("strip", [program], in: directory)
    for means in Self.means {
      let (text, table) = try globals([program], by: means)
      #expect(table.globals.count == whole.globals.count)
      let time = try #require(LazyProgram.times(text)["Catalogue.all"])
      let found = table.globals.filter { $0.duration >= time - 50_000 }
      #expect(found.contains { $0.owner == "unknown" && $0.name.hasPrefix("lazy+0x") }, "\(table.globals)")
    }
  }

  /// One initialises, and the other one waits for it: the times of work add up to what was worked.
  @Test(arguments: LazyProgram.linkModes)
  func aThreadThatWaitsDoesNotWork(mode: [String]) throws {
    let program = try LazyProgram.build(mode + ["-O"], in: directory)
    for means in Self.means {
      let (text, table) = try globals([program, "threads"], by: means)
      let (outer, inner) = (try #require(table["lazy.Shared.outer"]), try #require(table["lazy.Shared.inner"]))
      let times = LazyProgram.times(text)
      let (outerTime, innerTime) = (try #require(times["Shared.outer"]), try #require(times["Shared.inner"]))
      #expect(outer.duration >= outerTime + innerTime - 50_000 && inner.duration >= innerTime - 50_000)
      // Other globals may be inside, of the language's own.
      #expect(outer.selfTime >= outerTime - 50_000 && outer.selfTime + inner.duration <= outer.duration + 50_000)
      // Who comes late does not initialise it once more.
      #expect(table.globals.count { $0.name.contains("Shared.outer") } == 1)
      #expect(outer.waits.count == 1 && inner.waits.isEmpty)
    }
  }

  /// As many as the code ran, by a simulated processor.
  @Test func countsAreThoseOfCallgrind() throws {
    let program = try LazyProgram.build(["-O"], in: directory)
    let tables = try Self.means.map { try globals([program], by: $0).table }
    let output = directory.appending("callgrind.out")
    // valgrind would translate their breakpoint instructions.
    try Self.waitForProbesToGo()
    try Compiler.run(
      "valgrind", ["--tool=callgrind", "--callgrind-out-file=\(output)", "--compress-strings=no", program],
      in: directory)
    let lines = String(decoding: try contents(output), as: UTF8.self).split(separator: "\n")
    let calls = zip(lines, lines.dropFirst()).reduce(0) { sum, pair in
      guard pair.0.hasPrefix("cfn="), pair.0.contains("once_slow"), pair.1.hasPrefix("calls=") else { return sum }
      return sum + (Int(pair.1.dropFirst("calls=".count).prefix { $0.isNumber }) ?? 0)
    }
    for table in tables { #expect(calls == table.globals.count && calls > 0, "\(table.means)") }
  }

  /// A shell is no Swift program; what it executes is.
  @Test func aWrapperIsNoMatter() throws {
    let program = try LazyProgram.build(["-O"], in: directory)
    for means in Self.means {
      #expect(try globals(["/bin/sh", "-c", "exec \(program)"], by: means).table["lazy.Catalogue.all"] != nil)
    }
  }

  /// Children, threads and signals: the launcher is attached to all of them, and none must notice.
  @Test func aProgramThatMakesChildrenRunsOn() throws {
    let program = try Compiler.swift(Self.parent, to: "parent", in: directory, ["-swift-version", "5", "-O"])
    for means in Self.means {
      let (text, table) = try globals([program], by: means)
      #expect(text == "child 7\nspawned 3\nthreads 8\nsignal 1\n")
      #expect(table["parent.Forked.value"] != nil)
    }
  }

  private static let parent = """
    import Glibc

    enum Forked {
      // The child returns from the initialiser, too.
      static let value: Int32 = fork()
    }
    enum Late { static let value = CommandLine.arguments.count + 6 }
    nonisolated(unsafe) var signals = 0

    @main struct Parent {
      static func main() {
        setvbuf(stdout, nil, _IOLBF, 0)
        if Forked.value == 0 { exit(Int32(Late.value)) }
        var status: Int32 = 0
        waitpid(Forked.value, &status, 0)
        print("child", status >> 8)
        var pid = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("exit 3"), nil]
        posix_spawn(&pid, "/bin/sh", nil, nil, &arguments, nil)
        waitpid(pid, &status, 0)
        print("spawned", status >> 8)
        var threads = [pthread_t](repeating: 0, count: 8)
        for place in threads.indices { pthread_create(&threads[place], nil, { _ in Late.value > 0 ? nil : nil }, nil) }
        for thread in threads { pthread_join(thread, nil) }
        print("threads", threads.count)
        signal(SIGUSR1) { _ in signals += 1 }
        kill(getpid(), SIGUSR1)
        print("signal", signals)
      }
    }

    """

  @Test func aProgramWithoutSwiftHasNone() throws {
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
