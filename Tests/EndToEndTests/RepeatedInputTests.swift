// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// Several launches with a file as standard input.
final class RepeatedInputTests: CommandSuite {
  @Test(arguments: [
    "record -n 3 --warmup 1 -q -o traces/ -- ./reader", "bench --max-runs 3 --warmup 1 --quiet -- ./reader",
    "bench --max-runs 2 --quiet --vs ./base -- ./reader",
    "bench --max-runs 2 --quiet --counts instructions --vs ./base -- ./reader",
  ])
  func eachLaunchReadsTheWholeFile(command: String) throws {
    let reader = try CompiledProgram.c(Self.reader, "reader", in: launchprof.directory)
    let script = """
      cp '\(reader)' base; printf 'not this, 4000 bytes: %4000s' x > input
      { dd bs=1 count=10 of=/dev/null 2>/dev/null; '\(Launchprof.path)' \(command); } < input
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 600)
    let text = try String(decoding: contents(launchprof.directory.appending("counts")), as: UTF8.self)
    let counts = text.split(separator: "\n")
    #expect(counts.count >= 4 && Set(counts) == ["4012"], "\(counts) \(run.errorText)")
  }

  /// The warm-up read all of it, so that every launch that counted had no input. The loop of a script needs what is left.
  @Test(arguments: [
    "record -n 3 --warmup 1 -q -o traces/ -- ./reader", "bench --max-runs 2 --quiet --vs ./reader -- ./reader",
  ])
  func eachLaunchReadsASmallPipe(command: String) throws {
    _ = try CompiledProgram.c(Self.reader, "reader", in: launchprof.directory)
    let script = """
      head -c 300000 /dev/zero | { sleep 0.5; '\(Launchprof.path)' \(command); wc -c > rest; }
      """
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 600)
    #expect(try lines("counts").count >= 4 && Set(lines("counts")) == ["300000"], "\(run.errorText)")
    #expect(try lines("rest") == ["300000"])
    #expect(!run.text.contains("is a pipe") && !run.errorText.contains("is a pipe"))
  }

  /// `gate init` and `what-if` drop what a bench says.
  @Test(arguments: [
    "record -n 2 -q -o traces/ -- ./reader", "bench --max-runs 2 --quiet -- ./reader",
    "gate init -q --runs 2 -- ./reader", "what-if -q --runs 2 -- ./reader",
    "gate -q --runs 2 --allow-missing-baseline --vs false -- ./reader",
  ])
  func aLargePipeThatOnlyOneLaunchReadIsNamed(command: String) throws {
    _ = try CompiledProgram.c(Self.reader, "reader", in: launchprof.directory)
    let script = "head -c 3000000 /dev/zero | '\(Launchprof.path)' \(command)"
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 600)
    #expect(try Set(lines("counts")) == ["3000000", "0"], "\(run.errorText)")
    let text = (run.text + run.errorText).split { $0.isWhitespace }.joined(separator: " ")
    #expect(text.contains("give it as a file: < FILE"), "\(text)")
  }

  /// The second scenario found the pipe whose writer had ended meanwhile, and only its first launch read the copy.
  @Test func eachLaunchOfALaterScenarioReadsThePipe() throws {
    _ = try CompiledProgram.c(Self.reader, "reader", in: launchprof.directory)
    try launchprof.configure(
      """
      gate:
        runs: 3
        budgets: {total: {p50: 1min}}
        scenarios: [{name: a, program: sleep, arguments: ["1"]}, {name: b, program: ./reader}]

      """)
    let script = "{ sleep 0.6; head -c 3000 /dev/zero; } | '\(Launchprof.path)' gate -q"
    let run = try TestProcess.run("/bin/sh", ["-c", script], directory: launchprof.directory.path, timeout: 600)
    #expect(try lines("counts").count >= 3 && Set(lines("counts")) == ["3000"], "\(run.text)\(run.errorText)")
  }

  private func lines(_ name: String) throws -> [String] {
    String(decoding: try contents(launchprof.directory.appending(name)), as: UTF8.self)
      .split { $0.isWhitespace }.map(String.init)
  }

  private static let reader = """
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char bytes[4096];
      long total = 0, count;
      while ((count = read(0, bytes, sizeof bytes)) > 0) total += count;
      dprintf(open("counts", O_WRONLY | O_CREAT | O_APPEND, 0600), "%ld\\n", total);
      return 0;
    }
    """
}
