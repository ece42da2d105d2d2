// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport
import Testing

/// Programs that are started through their loader: `ld.so program`, as bundled applications are.
@Suite(.serialized) struct LoaderStartTests {
  private let launchprof: Launchprof
  private let program: String
  /// The program's loader.
  private let loader: String

  private static let source = """
    #include <stdlib.h>
    __attribute__((noinline)) static void work(long rounds) { for (volatile long i = 0; i < rounds; i++); }
    __attribute__((constructor)) static void prepare(void) { work(20000000); }
    int main(void) { work(1000000); return 0; }
    """

  init() throws {
    launchprof = try Launchprof()
    program = try CompiledProgram.c(Self.source, "program", in: launchprof.directory)
    let text = try TestProcess.run("/usr/bin/readelf", ["-lW", program]).text
    loader = try #require(text.firstMatch(of: /interpreter: ([^\]]+)\]/)?.1).description
  }

  private func phases(_ options: [String], _ command: [String], adding: [String: String] = [:]) throws -> ObservedLaunch
  {
    let (run, path) = try launchprof.record(command, options: options, adding: adding)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    return try ObservedLaunch(launchprof, path)
  }

  /// The program's initialiser takes longer than `main`, and is no part of it.
  private func expectPhases(_ launch: ObservedLaunch, _ comment: Comment? = nil) throws {
    let main = try #require(launch.phase("main"), comment)
    let initializers = try #require(launch.phase("static-init"), comment)
    #expect(main.running < initializers.running, comment)
    #expect(launch.phase("load") != nil, comment)
    let executed = try #require(launch.instants("launchprof.point", "exec").last, comment)
    #expect(executed.annotations["path"] == .string(program), comment)
  }

  @Test func thePhasesAreThoseOfTheProgram() throws {
    try requirePerf()
    try expectPhases(phases([], [loader, program]))
    try expectPhases(phases([], ["sh", "-c", "exec \"$@\"", "sh", loader, program]), "below a shell")
  }

  @Test func thePhasesAreKnownWithoutPerfEvents() throws {
    let path = launchprof.directory.appending("t.pftrace")
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"), ["perf", Launchprof.path, "record", "-o", path, "--", loader, program],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.fact("observer") == .string("ptrace"))
    let points = ["loader-started", "relocated", "entry", "main"].map { launch.points($0).first ?? -1 }
    #expect(!points.contains(-1) && points == points.sorted(), "\(points)")
  }

  @Test func anInitializerIsTheProgramsAndNotTheLoaders() throws {
    let launch = try phases(
      ["--detail", "loader"], [loader, program], adding: ["LAUNCHPROF_AGENT": try BuiltProgram.agent()])
    let names = (0..<launch.trace.slices.count).map {
      launch.trace.strings[StringID(rawValue: launch.trace.slices.name[$0])]
    }
    #expect(names.contains("program initializer 1"), "\(names)")
    #expect(!names.contains { $0.hasPrefix("ld-") }, "\(names)")
  }

  /// A loader has no program if it only lists libraries.
  @Test func aLoaderThatStartsNoProgramIsLaunchedAsUsual() throws {
    let (run, _) = try launchprof.record([loader, "--version"])
    #expect(run.outcome == .exited(0) && !run.text.isEmpty, "\(run.errorText)")
  }
}
