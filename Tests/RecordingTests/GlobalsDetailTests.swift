// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

extension RuntimeDetailTests {
  /// `record --detail globals`: which lazy globals a launch initialises, in any program.
  @Suite struct GlobalsDetailTests {
    private let recorder: RuntimeRecorder

    init() throws { recorder = try RuntimeRecorder() }

    private func globals(
      _ command: [String], by means: RuntimeRecorder.Means = RuntimeRecorder.means[0]
    ) throws -> (text: String, table: ReportedGlobals) {
      let (text, report) = try recorder.record(command, by: means)
      return (text, try #require(ReportedGlobals(report)))
    }

    /// Records the program until the times are right, at most four times. A busy machine can hold it up between a probe and
    /// its own clock.
    private func globals(
      _ command: [String], by means: RuntimeRecorder.Means,
      until areRight: (ReportedGlobals, [String: Int]) throws -> Bool
    ) throws -> ReportedGlobals {
      for _ in 0..<4 {
        let (text, table) = try globals(command, by: means)
        if try areRight(table, LazyProgram.times(text)) { return table }
      }
      throw ToolFailure("\(means): the times of four launches are not those of the program")
    }

    /// One launch says all of a program: its own are named, and a thread that waits does not work.
    @Test(arguments: LazyProgram.linkModes, ["-O", "-Onone"])
    func theProgramsOwnAreNamedHoweverItIsLinked(mode: [String], level: String) throws {
      let program = try LazyProgram.build(mode + [level], in: recorder.directory)
      for means in RuntimeRecorder.means {
        let table = try globals([program], by: means) { table, times in
          let (found, time) = (try #require(table["lazy.Catalogue.all"]), try #require(times["Catalogue.all"]))
          return try found.duration >= time - 300_000 && onlyOneWorks(table, times) && oneWaits(table)
        }
        let own = table.globals.filter { $0.owner == "program" }
        let names = ["Catalogue.all", "Shared.outer", "Shared.inner"].map { "lazy.\($0)" } + ["lazy.lines"]
        #expect(Set(own.map(\.name)).isSubset(of: names), "\(own)")
        let catalogue = try #require(table["lazy.Catalogue.all"])
        #expect(catalogue.isOnMainThread)
        #expect(catalogue.asker.contains("useCatalogue") || catalogue.asker.contains("main"), "\(catalogue)")
        #expect(table.globals.contains { $0.owner == "language" })
        // Who comes late does not initialise it once more.
        #expect(table.globals.count { $0.name.contains("Shared.outer") } == 1)
        #expect(table["lazy.Shared.inner"]?.waits.isEmpty == true)
      }
    }

    /// Whether the times of work add up to what was worked: one thread initialises, and the other one waits for it.
    private func onlyOneWorks(_ table: ReportedGlobals, _ times: [String: Int]) throws -> Bool {
      let (outer, inner) = (try #require(table["lazy.Shared.outer"]), try #require(table["lazy.Shared.inner"]))
      let (outerTime, innerTime) = (try #require(times["Shared.outer"]), try #require(times["Shared.inner"]))
      // Other globals may be inside, of the language's own.
      return outer.duration >= outerTime + innerTime - 50_000 && inner.duration >= innerTime - 50_000
        && outer.selfTime >= outerTime - 50_000 && outer.selfTime + inner.duration <= outer.duration + 50_000
    }

    /// Whether the thread that asks later came before the other one was done. A busy machine can hold it up.
    private func oneWaits(_ table: ReportedGlobals) -> Bool { table["lazy.Shared.outer"]?.waits.count == 1 }

    /// Its functions have no names then, and are found all the same.
    @Test func aStrippedStaticProgramToo() throws {
      let whole = try LazyProgram.build(["-O", "-static-executable"], in: recorder.directory)
      let program = recorder.directory.appending("stripped")
      try Compiler.run("strip", ["-o", program, whole], in: recorder.directory)
      let count = try globals([whole]).table.globals.count
      for means in RuntimeRecorder.means {
        let table = try globals([program], by: means) { table, times in
          let time = try #require(times["Catalogue.all"])
          let found = table.globals.filter { $0.duration >= time - 50_000 }
          return found.contains { $0.owner == "unknown" && $0.name.hasPrefix("stripped+0x") }
        }
        #expect(table.globals.count == count)
      }
    }

    /// As many as the code ran.
    @Test func countsAreThoseOfCallgrind() throws {
      let program = try LazyProgram.build(["-static-stdlib", "-O"], in: recorder.directory)
      let calls = try recorder.calls(of: ["threading_impl::once_slow"], in: [program, "alone"])[0]
      for means in RuntimeRecorder.means {
        let table = try globals([program, "alone"], by: means).table
        #expect(calls == table.globals.count && calls > 0, "\(means)")
      }
    }

    /// A shell is no Swift program; what it executes is.
    @Test func aWrapperIsNoMatter() throws {
      let program = try LazyProgram.build(["-O"], in: recorder.directory)
      for means in RuntimeRecorder.means {
        let command = ["/bin/sh", "-c", "exec \(program) alone"]
        #expect(try globals(command, by: means).table["lazy.Catalogue.all"] != nil)
      }
    }

    /// Children, threads and signals: the launcher is attached to all of them, and none must notice. With look-ups, it is
    /// attached until the end.
    @Test func aProgramThatMakesChildrenRunsOn() throws {
      let options = ["-swift-version", "5", "-O"]
      let program = try Compiler.swift(Self.parent, to: "parent", in: recorder.directory, options)
      for means in RuntimeRecorder.means {
        for detail in [["globals"], ["globals", "conformances"]] {
          let (text, report) = try recorder.record([program], detail: detail, by: means)
          #expect(text == "child 7\nspawned 3\nthreads 8\nsignal 1\n")
          #expect(try #require(ReportedGlobals(report))["parent.Forked.value"] != nil)
          #expect((report.launch["lookups"] != nil) == (detail.count == 2))
        }
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

    /// Times from launches without probes, and what each side initialises from one with them.
    @Test func benchAndGateNameWhatIsNew() throws {
      func program(_ name: String, _ more: String) throws -> String {
        let source = """
          enum Catalogue { static let first = CommandLine.arguments.count \(more) }
          @main struct Program { static func main() { print(Catalogue.first \(more.isEmpty ? "" : "+ Catalogue.all")) } }

          """
        let options = ["-O", "-static-stdlib", "-module-name", "app", "-swift-version", "5"]
        return try Compiler.swift(source, to: name, in: recorder.directory, options)
      }
      let base = try program("base", "")
      let head = try program("head", "; static let all = CommandLine.arguments.map(\\.count).reduce(0, +)")
      let options = ["--vs", base, "--detail", "globals", "--detail", "conformances", "--max-runs", "2"]
      let bench = try recorder.launchprof.run(["bench", "-q", "--traces", "kept"] + options + ["--", head])
      #expect(bench.text.contains("lazy-globals 1 → 2, added: app.Catalogue.all"), "\(bench.text)\(bench.errorText)")
      #expect(bench.text.contains("first-lookups"), "\(bench.text)")
      let timed = try JSONReport(recorder.launchprof, recorder.directory.appending("kept/head"))
      #expect(timed.launch["lazyGlobals"] == nil)
      try recorder.directory.write(
        "gate:\n  more: {lazy-globals: 0}\n  budgets: {lazy-globals: {p50: 5}}\n", to: "launch-budgets.yml")
      let gate = try recorder.launchprof.run(
        ["gate", "-q", "--vs", base, "--detail", "globals", "--runs", "2", "--", head])
      #expect(gate.outcome == .exited(2) && gate.text.contains("lazy-globals 1 → 2"), "\(gate.text)\(gate.errorText)")
      #expect(gate.text.contains("lazy-globals p50"), "\(gate.text)")
    }

    @Test func aProgramWithoutSwiftHasNone() throws {
      for detail in ["globals", "conformances"] {
        let options = ["--detail", detail, "--ready", "exit"]
        let (run, trace) = try recorder.launchprof.record(["/bin/true"], options: options)
        #expect(run.outcome == .exited(0))
        #expect(run.errorText.contains("--detail \(detail): no code of Swift's runtime was found"), "\(run.errorText)")
        let launch = try JSONReport(recorder.launchprof, trace).launch
        #expect(launch["lazyGlobals"] == nil && launch["lookups"] == nil)
      }
    }

    @Test func nothingIsWatchedWithoutAnObserver() throws {
      for detail in ["globals", "conformances", "calls"] {
        let run = try recorder.launchprof.run(["record", "--no-observation", "--detail", detail, "--", "/bin/true"])
        #expect(run.outcome == .exited(64) && run.errorText.contains("--detail \(detail)"))
      }
    }
  }
}
