// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import LaunchTrace
import TestSupport
import Testing

/// `--detail loader` of programs with a recorder, which times their initialisers itself. Their files do not tell the agent so.
@Suite(.serialized) struct LoaderRecorderTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  /// Each initialiser was timed by both, one inside of the other.
  private func expectEachOnce(_ command: [String]) throws {
    let (run, path) = try launchprof.record(
      command, options: ["--detail", "loader"], adding: ["LAUNCHPROF_AGENT": try BuiltProgram.agent()])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let trace = try TraceReader().read(path: path)
    func text(_ column: [UInt32], _ row: Int) -> String { trace.strings[StringID(rawValue: column[row])] }
    let table = trace.slices
    let initializers = (0..<table.count).filter { text(table.category, $0) == "launchprof.initializer" }
    func contains(_ outer: Int, _ inner: Int) -> Bool {
      outer != inner && table.start[outer] <= table.start[inner]
        && table.start[inner] + table.duration[inner] <= table.start[outer] + table.duration[outer]
    }
    let nested = initializers.filter { inner in initializers.contains { contains($0, inner) } }
    #expect(!initializers.isEmpty && nested.isEmpty, "\(nested.map { text(table.name, $0) })")
    #expect((0..<table.count).contains { text(table.name, $0) == "relocate" })
  }

  /// As `llvm-strip` leaves it: without all that no program loads, such as the notes of probes.
  @Test func aStrippedProgramIsNotTimedTwice() throws {
    let sections = [".note.stapsdt", ".comment", ".swift_ast", ".note.gnu.gold-version"]
    try Compiler.run(
      "objcopy",
      ["--strip-all"] + sections.map { "--remove-section=\($0)" } + [Launchprof.instrumented, "stripped-program"],
      in: launchprof.directory)
    try expectEachOnce([launchprof.directory.appending("stripped-program")])
  }

  /// The file of the process is then the loader.
  @Test func aProgramThatItsLoaderStartsIsNotTimedTwice() throws {
    let text = try TestProcess.run("/usr/bin/readelf", ["-lW", Launchprof.instrumented]).text
    let loader = try #require(text.firstMatch(of: /interpreter: ([^\]]+)\]/)?.1).description
    try expectEachOnce([loader, Launchprof.instrumented])
  }
}
