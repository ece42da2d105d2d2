import Glibc
import TestSupport
import Testing

/// `launchprof bench`: live comparisons.
struct BenchTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  @Test func aSlowerProgramIsFoundOut() throws {
    let run = try launchprof.run(
      ["bench", "--vs", "sleep '0.01'", "--traces", "kept", "--max-runs", "40", "--", "sleep", "0.06"])
    #expect(run.outcome == .exited(2), "\(run.text)\(run.errorText)")
    #expect(run.text.hasPrefix("REGRESSED\n"))
    #expect(run.text.contains("rounds") && run.text.contains("by seed "))
    #expect(run.errorText.contains("round 10  total +"), "\(run.errorText)")
    // The copies are gone, the traces are there, and compare pairs them.
    #expect(access(launchprof.directory.appending("kept/.programs"), F_OK) != 0)
    let again = try launchprof.run(["compare", "kept/base", "kept/head"])
    #expect(again.outcome == .exited(2) && again.text.contains(" rounds"), "\(again.text)")
  }

  @Test func aProgramAloneIsMeasured() throws {
    let run = try launchprof.run(["bench", "-q", "--max-runs", "9", "--format", "json", "--", "true"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text.contains("\"status\": \"passed\"") && run.text.contains("\"quantiles\": [\n    {"))
    #expect(run.errorText.isEmpty)
  }

  @Test func whatProgramsWriteIsNotInTheResult() throws {
    for arguments in [["--", "echo", "hello"], ["--vs", "echo hello", "--", "echo", "hello"]] {
      let run = try launchprof.run(["bench", "-q", "--max-runs", "3", "--format", "json"] + arguments)
      #expect(run.text.hasPrefix("{\n") && run.text.hasSuffix("}\n"), "\(run.text)")
      #expect(!run.text.contains("hello"))
    }
  }

  @Test func launchesThatFailEndIt() throws {
    let failing = try launchprof.run(["bench", "-q", "--vs", "true", "--", "false"])
    #expect(failing.outcome == .exited(3), "\(failing.text)")
    #expect(failing.text.contains("3 launches failed") && failing.text.contains("launches fail"))
    let absent = try launchprof.run(["bench", "-q", "--vs", "true", "--", "./no-such-program"])
    #expect(absent.outcome == .exited(3), "\(absent.errorText)")
    #expect(absent.errorText.contains("no-such-program"))
    // Nothing of the copies stays behind.
    #expect(access(launchprof.directory.appending(".programs"), F_OK) != 0)
  }

  @Test func scriptsAreLaunchedWhereTheyAre() throws {
    let script = try launchprof.directory.write("#!/bin/sh\nexit 0\n", to: "script")
    chmod(script, 0o755)
    let run = try launchprof.run(["bench", "--vs", "./script", "--max-runs", "2", "--", "./script"])
    #expect(run.outcome == .exited(4), "\(run.text)")
    #expect(run.errorText.contains("is no ELF program"), "\(run.errorText)")
  }

  @Test func wrongOptionsAreSaid() throws {
    for (arguments, message) in [
      (["--"], "Name the program"), ([], "program"), (["--vs", "'open", "--", "true"], "quotes closed"),
      (["--vs", "", "--", "true"], "expected a command"), (["--max-runs", "0", "--", "true"], "1 to 100000"),
      (["--nope", "--", "true"], "Unknown option"), (["--max-time", "soon", "--", "true"], "max-time"),
    ] {
      let run = try launchprof.run(["bench"] + arguments)
      #expect(run.outcome == .exited(64), "\(arguments)")
      #expect(run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
  }
}
