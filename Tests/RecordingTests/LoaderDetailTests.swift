// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `--detail loader`: the agent in programs that are not prepared for it.
@Suite(.serialized) struct LoaderDetailTests {
  private let launchprof: Launchprof
  private let agent: [String: String]

  init() throws {
    launchprof = try Launchprof()
    agent = ["LAUNCHPROF_AGENT": try BuiltProgram.agent()]
  }

  /// A slice that the agent recorded.
  private struct Slice {
    var name: String
    var category: String
    var start: Int64
    var duration: Int64
    var threadID: Int32
    /// `path`, or `image` if there is none.
    var path: String
  }

  private func record(_ command: [String], adding: [String: String] = [:]) throws -> (run: TestProcess, slices: [Slice])
  {
    let (run, path) = try launchprof.record(
      command, options: ["--detail", "loader"], adding: agent.merging(adding) { $1 })
    return (run, try slices(of: path))
  }

  private func slices(of path: String) throws -> [Slice] {
    let trace = try TraceReader().read(path: path)
    let keys = ["path", "image"].compactMap { trace.strings.id(of: $0) }
    return (0..<trace.slices.count).map { row in
      let values = keys.compactMap { trace.annotations.value(row: trace.slices.annotation[row], key: $0) }
      let path: String =
        switch values.first {
        case .string(let text): text
        case .array(let parts): parts.compactMap { if case .string(let text) = $0 { text } else { nil } }.first ?? ""
        default: ""
        }
      return Slice(
        name: trace.strings[StringID(rawValue: trace.slices.name[row])],
        category: trace.strings[StringID(rawValue: trace.slices.category[row])], start: trace.slices.start[row],
        duration: trace.slices.duration[row],
        threadID: trace.tracks[Int(trace.slices.track[row])].threadID, path: path)
    }
  }

  /// Allows one wrong run: between two readings of the clock the thread may lose its processor.
  private func mostly(_ runs: Int = 8, _ isRight: () throws -> Bool) rethrows {
    var wrong = 0
    for _ in 0..<runs { if try !isRight() { wrong += 1 } }
    #expect(wrong <= 1)
  }

  @Test func anInitializerIsTimed() throws {
    let program = try BuiltProgram.foreign("initializer")
    try mostly {
      let (run, slices) = try record([program])
      #expect(run.outcome == .exited(3))
      let own = try #require(Int64(run.text.dropLast()))
      let found = slices.filter { $0.category == "launchprof.initializer" && $0.path.hasSuffix("/initializer") }
      let longest = try #require(found.map(\.duration).max())
      return longest >= own && longest - own <= 250_000
    }
  }

  @Test func theInitializersFunctionIsNamed() throws {
    let program = try BuiltProgram.foreign("initializer")
    // On a busy machine, the initializer may mostly wait for a processor. Then it is not slow.
    let missing = try LaunchSeries.unseen {
      let (_, path) = try launchprof.record([program], options: ["--detail", "loader"], adding: agent)
      // Other findings can take its place on the first screen.
      let report = try launchprof.run(["report", "--full", path])
      guard report.text.contains("slow-static-initializer") else { return [report.text] }
      #expect(report.text.contains("takes_five_millisec"), "\(report.text)")
      return []
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test func relocationsAreTimedByLibrary() throws {
    let program = try BuiltProgram.foreign("relocated")
    // In some launches, the thread loses its processor in the relocation of another library.
    var shortest: [String: Int64] = [:]
    for _ in 0..<6 {
      let (run, slices) = try record([program])
      #expect(run.outcome == .exited(0))
      let relocations = slices.filter { $0.name == "relocate" && $0.category == "launchprof.library" }
      #expect(relocations.contains { $0.path.contains("/libc.so") })
      #expect(relocations.contains { $0.path.hasSuffix("/relocated") })
      for slice in relocations { shortest[slice.path] = min(shortest[slice.path] ?? .max, slice.duration) }
    }
    let worst = try #require(shortest.max { $0.value < $1.value })
    #expect(worst.key.hasSuffix("/libheavy.so") && worst.value > 200_000, "\(shortest)")
  }

  @Test(arguments: [false, true])
  func eachOpeningIsTimedOnItsThread(onSecondThread: Bool) throws {
    let command = [try BuiltProgram.foreign("opener"), try BuiltProgram.foreign("libslow.so")]
    try mostly(5) {
      let (run, slices) = try record(command + (onSecondThread ? ["thread"] : []))
      #expect(run.outcome == .exited(0))
      let own = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
      let opening = try #require(slices.first { $0.name == "dlopen" && $0.path.hasSuffix("/libslow.so") })
      #expect(opening.threadID == Int32(own[1]))
      #expect(slices.count { $0.name == "dlopen" && $0.path.hasSuffix("/libslow.so") } == 1)
      return opening.duration <= own[0] && opening.duration >= 3_000_000 && own[0] - opening.duration <= 500_000
    }
  }

  /// The loader adds another auditor's libraries before it announces the program.
  @Test func anotherAuditorIsNotTheProgram() throws {
    let auditor = launchprof.directory.appending("libauditor.so")
    try CompiledProgram.c(
      "unsigned la_version(unsigned version) { return version; }", "libauditor.so", ["-shared", "-fPIC"],
      in: launchprof.directory)
    let (run, slices) = try record([try BuiltProgram.foreign("relocated")], adding: ["LD_AUDIT": auditor])
    #expect(run.outcome == .exited(0))
    #expect(slices.contains { $0.name == "relocate" && $0.path.hasSuffix("/libheavy.so") })
    #expect(!slices.contains { $0.name == "dlopen" })
  }

  /// The agent records these libraries, so the observer leaves them to it.
  @Test func aLibraryThatIsOpenedTwiceIsThereOnce() throws {
    let source = """
      #include <dlfcn.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        usleep(300000);
        void *first = dlopen(arguments[1], RTLD_NOW), *second = dlopen(arguments[1], RTLD_NOW);
        return first != second;
      }
      """
    let program = try CompiledProgram.c(source, "twice", in: launchprof.directory)
    let (run, slices) = try record([program, try BuiltProgram.foreign("libslow.so")])
    #expect(run.outcome == .exited(0))
    #expect(slices.count { $0.name == "dlopen" && $0.path.hasSuffix("/libslow.so") } == 1)
    #expect(slices.count { $0.name == "relocate" && $0.path.hasSuffix("/libc.so.6") } == 1)
  }

  /// A daemon closes all descriptors, and its own files then get their numbers. What it opens later must not reach them.
  @Test func theProgramsFilesStayAsTheyAre() throws {
    let source = """
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        for (int descriptor = 3; descriptor < 64; descriptor++) close(descriptor);
        int file = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
        write(file, "log\\n", 4);
        return dlopen(arguments[1], RTLD_NOW) == NULL || lseek(file, 0, SEEK_END) != 4;
      }
      """
    let program = try CompiledProgram.c(source, "daemon", in: launchprof.directory)
    let log = launchprof.directory.appending("log")
    let (run, slices) = try record([program, try BuiltProgram.foreign("libslow.so"), log])
    #expect(run.outcome == .exited(0))
    #expect(slices.contains { $0.name == "relocate" && $0.path.hasSuffix("/libslow.so") })
  }

  /// The output and exit status are the same as without the agent.
  @Test(arguments: [
    ["python3", "-c", "import json, sys; print(json.dumps([1])); sys.exit(4)"],
    ["perl", "-e", "use POSIX; print strftime('%Y', gmtime(0)); exit 5"], ["git", "--version"],
    ["node", "-e", "console.log(require('crypto').createHash('md5').update('x').digest('hex')); process.exit(6)"],
    ["curl", "--version"], ["sh", "-c", "ls / | head -3; exit 7"],
  ])
  func programsDoAsEver(command: [String]) throws {
    let direct = try TestProcess.run("/usr/bin/env", command)
    let (run, slices) = try record(command)
    #expect(run.outcome == direct.outcome)
    #expect(run.text == direct.text)
    #expect(run.errorText == direct.errorText)
    #expect(slices.contains { $0.name == "relocate" })
  }

  @Test func aProgramWithWindowsDoesAsEver() throws {
    let display = try XDisplay(in: launchprof.directory)
    let (run, slices) = try record([try BuiltProgram.foreign("window"), "200"], adding: display.environment)
    #expect(run.outcome == .exited(0))
    #expect(run.text == "activated\n")
    #expect(slices.count { $0.category == "launchprof.initializer" } > 100)
    #expect(Set(slices.filter { $0.name == "relocate" }.map(\.path)).count > 30)
  }

  /// The trace has the program's own initialisers once, and those of the libraries from the agent.
  @Test func aProgramWithARecorderIsNotTimedTwice() throws {
    func own(_ slices: [Slice]) -> [Slice] {
      slices.filter { $0.category == "launchprof.initializer" && $0.path.hasSuffix("/instrumented-program") }
    }
    let burning = ["LAUNCHPROF_TEST_INITIALIZER": "burn"]
    let (run, slices) = try record([Launchprof.instrumented], adding: burning)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let (_, plain) = try launchprof.record([Launchprof.instrumented], adding: burning)
    #expect(own(slices).contains { $0.duration >= 5_000_000 })
    #expect(own(slices).map(\.name).sorted() == own(try self.slices(of: plain)).map(\.name).sorted())
    #expect(slices.contains { $0.name == "relocate" })
  }

  @Test func thePhasesAddUp() throws {
    let (_, trace) = try launchprof.record(
      [try BuiltProgram.foreign("initializer")], options: ["--detail", "loader"], adding: agent)
    let report = try JSONReport(launchprof, trace)
    let phases = report.list("phases")
    #expect(phases.compactMap { $0["duration"] as? Int }.reduce(0, +) == report.total)
    #expect(phases.contains { $0["id"] as? String == "static-init" && ($0["duration"] as? Int ?? 0) >= 5_000_000 })
    #expect(phases.contains { $0["id"] as? String == "relocate" && $0["source"] as? String == "audit" })
    try TraceSchema.check(paths: [trace])
    #expect(try TraceProcessor.errorStatistics(path: trace).isEmpty)
  }

  @Test func theReportSaysWhichLibraryCostsWhat() throws {
    let (run, trace) = try launchprof.record(
      [try BuiltProgram.foreign("opener"), try BuiltProgram.foreign("libslow.so")], options: ["--detail", "loader"],
      adding: agent)
    #expect(run.outcome == .exited(0))
    let text = try launchprof.run(["report", "--full", trace]).text
    #expect(text.contains("  Libraries"), "\(text)")
    #expect(text.contains("libslow.so (dlopen)"), "\(text)")
    #expect(text.contains(" on main thread"), "\(text)")
    let lines = try launchprof.run(["report", "--rows", "libraries", "--format", "csv", trace]).text.split(
      separator: "\r\n")
    let columns =
      "launch library path size_bytes loads map_ns relocation_ns initialization_ns initializers total_ns flags held_up_ns"
    #expect(lines.first?.split(separator: ",") == columns.split(separator: " "))
    let slow = try #require(lines.first { $0.contains("libslow.so") }).split(
      separator: ",", omittingEmptySubsequences: false)
    // Counted from the end, because the path may contain commas.
    #expect((Int(slow[slow.count - 5]) ?? 0) >= 3_000_000 && slow[slow.count - 2] == "dlopen")
    let report = try JSONReport(launchprof, trace)
    #expect(report.list("libraries").contains { ($0["path"] as? String)?.hasSuffix("libslow.so") == true })
    #expect(report.list("openings").count == 1)
  }

  /// Its file was a library of the program, and a phase of its own in comparisons.
  @Test func anAgentWithAnotherNameIsTheAgent() throws {
    try launchprof.directory.write(contents(BuiltProgram.agent()), to: "probe.so")
    let (run, trace) = try launchprof.record(
      ["true"], options: ["--detail", "loader"],
      adding: ["LAUNCHPROF_AGENT": launchprof.directory.appending("probe.so")])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let text = try launchprof.run(["report", "--format", "json", trace]).text
    #expect(text.contains("launchprof-agent.so") && !text.contains("probe.so\""), "\(text)")
  }

  /// The loader knows the library by a path that is relative to the program's current directory.
  @Test func aLibraryWithARelativePathKeepsItsInitializers() throws {
    try launchprof.directory.write(contents(BuiltProgram.foreign("libslow.so")), to: "libslow.so")
    let command = [try BuiltProgram.foreign("opener"), "./libslow.so"]
    let (run, slices) = try record(command)
    #expect(run.outcome == .exited(0), "\(run.outcome) \(run.errorText)")
    let initializers = slices.filter { $0.category == "launchprof.initializer" && $0.path.hasSuffix("/libslow.so") }
    #expect(!initializers.isEmpty && initializers.allSatisfy { $0.path == "\(launchprof.directory.path)/libslow.so" })
    let report = try JSONReport(launchprof, launchprof.directory.appending("trace.pftrace"))
    let rows = report.list("libraries").filter { ($0["path"] as? String)?.hasSuffix("/libslow.so") == true }
    #expect(rows.count == 1 && rows.first?["initializers"] as? Int ?? 0 >= 1, "\(rows)")
  }

  /// What `env` and the shell load is a part of the launch: with their names, and at its time.
  @Test func programsOnTheWayHaveTheirOwnNamesAndTimes() throws {
    let relocated = try BuiltProgram.foreign("relocated")
    try launchprof.directory.write(Array("#!/usr/bin/env bash\nexec '\(relocated)'\n".utf8), to: "start")
    let script = launchprof.directory.appending("start")
    #expect(chmod(script, 0o755) == 0)
    let (run, slices) = try record([script])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let trace = try TraceReader().read(path: launchprof.directory.appending("trace.pftrace"))
    let executed = (0..<trace.instants.count).filter {
      trace.strings[StringID(rawValue: trace.instants.name[$0])] == "exec"
        && trace.strings[StringID(rawValue: trace.instants.category[$0])] == "launchprof.point"
    }.map { trace.instants.time[$0] }
    #expect(executed.count == 3)
    for (program, (start, end)) in zip(["/env", "/bash", "/relocated"], zip(executed, executed.dropFirst() + [.max])) {
      let own = slices.filter { $0.name == "relocate" && $0.path.hasSuffix(program) }
      #expect(own.map { (start..<end).contains($0.start) } == [true], "\(program): \(own), \(executed)")
    }
  }

  @Test func whatCannotBeLookedAtSaysWhy() throws {
    let run = try launchprof.run(
      ["record", "--detail", "loader", "--", try BuiltProgram.foreign("static")], adding: agent)
    #expect(run.outcome == .exited(3))
    #expect(run.errorText.contains("linked statically"), "\(run.errorText)")
    let missing = try launchprof.run(
      ["record", "--detail", "loader", "--", "sh", "-c", ": > ran"], adding: ["LAUNCHPROF_AGENT": "/no/such.so"])
    #expect(missing.outcome == .exited(125))
    #expect(missing.errorText.contains("scripts/build-agent"), "\(missing.errorText)")
    #expect(access(launchprof.directory.appending("ran"), F_OK) != 0)
    let wrong = try launchprof.run(["record", "--detail", "all", "--", "true"])
    #expect(wrong.outcome == .exited(64))
  }

  /// The loader says it in the middle of the program's output, and the report gave another reason.
  @Test func anAgentThatCannotBeLoadedIsToldBeforeTheLaunch() throws {
    try launchprof.directory.write(contents(BuiltProgram.agent()), to: "with:colon.so")
    try launchprof.directory.write([], to: "empty.so")
    for (name, reason) in [("with:colon.so", "whose path has a colon"), ("empty.so", "is not a library")] {
      let run = try launchprof.run(
        ["record", "--detail", "loader", "--", "sh", "-c", ": > ran"],
        adding: ["LAUNCHPROF_AGENT": launchprof.directory.appending(name)])
      #expect(run.outcome == .exited(125))
      #expect(run.errorText.contains(reason), "\(run.errorText)")
      #expect(access(launchprof.directory.appending("ran"), F_OK) != 0)
    }
  }

  @Test func aProgramThatDiesInAnInitializerKeepsWhatWasSeen() throws {
    let script = "kill -9 $$"
    let (run, slices) = try record(["sh", "-c", script])
    #expect(run.outcome == .signalled(SIGKILL))
    #expect(slices.contains { $0.name == "relocate" })
  }

  /// The agent looks for a recorder. If it searched the program's memory, all of the program would be read from its file during
  /// the launch: 40 ms in `load` for a server with a static standard library.
  @Test func theProgramIsNotReadAsAWhole() throws {
    let program = try Compiler.c(
      """
      #include <stdio.h>
      #include <string.h>
      static void first(int count, char **texts, char **variables) { (void)count, (void)texts, (void)variables; }
      __attribute__((section(".preinit_array"), used)) static void (*const begin)(int, char **, char **) = first;
      const char large[32 << 20] = {1};
      int main(void) {
        char line[512];
        unsigned long from, to, size = 0, place = (unsigned long)large + sizeof large / 2;
        int is_here = 0;
        FILE *maps = fopen("/proc/self/smaps", "r");
        while (maps && fgets(line, sizeof line, maps)) {
          if (sscanf(line, "%lx-%lx ", &from, &to) == 2) is_here = from <= place && place < to;
          if (is_here && strncmp(line, "Rss:", 4) == 0) sscanf(line, "Rss: %lu", &size);
        }
        printf("%lu\\n", size);
        return 0;
      }
      """, to: "large", in: launchprof.directory)
    let (run, slices) = try record([program])
    #expect(slices.contains { $0.category == "launchprof.initializer" })
    let resident = try #require(Int(run.text.dropLast()), "\(run.text)\(run.errorText)")
    #expect(resident < 4096, "KiB of 32 MiB")
  }
}
