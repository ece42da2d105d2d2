// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// `launchprof gate selftest`: how small a change the gate can show.
final class GateSelftestTests: CommandSuite {
  /// Arguments need not be UTF-8, and the copy gets the same ones.
  @Test func theCopyGetsTheSameBytes() throws {
    try launchprof.directory.write("#!/bin/sh\nprintf '%s\\n' \"$1\" >> log\n", to: "program")
    let script = """
      chmod +x program
      exec "$0" gate selftest -q --runs 10 --in-place -- ./program "$(printf 'caf\\351')"
      """
    _ = try TestProcess.run("/bin/sh", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    let lines = Set(try contents(launchprof.directory.appending("log")).split(separator: 10).map(Array.init))
    #expect(lines == [Array("caf".utf8) + [0xe9]])
  }

  @Test func theSelftestSaysHowSmallAChangeCanBeShown() throws {
    let run = try launchprof.run(
      [
        "gate", "selftest", "-q", "--runs", "24", "--delay", "400", "--relative", "1000", "--seed", "4", "--", "sleep",
        "0.01",
      ])
    #expect(run.text.contains("noise floor: ") && run.text.contains("against a copy of itself: "), "\(run.text)")
    // With a confidence of 99 %, one of two hundred programs seems faster than its copy: the interval is below zero.
    let seemsFaster = run.text.contains(/against a copy of itself: .* to -/)
    let end = seemsFaster ? "FAILED: the program compared with a copy of itself is improved\n" : "PASSED\n"
    let status: Int32 = seemsFaster ? 2 : 0
    #expect(run.outcome == .exited(status) && run.text.hasSuffix(end), "\(run.text)\(run.errorText)")
    let refused = try launchprof.run(
      [
        "gate", "selftest", "-q", "--runs", "10", "--delay", "400", "--relative", "0.01", "--absolute", "1us", "--",
        "sleep", "0.03",
      ])
    #expect(refused.outcome == .exited(2), "\(refused.text)\(refused.errorText)")
    #expect(refused.text.contains("REJECTED: the threshold is below the noise"), "\(refused.text)")
    #expect(try launchprof.run(["gate", "selftest", "-q", "--", "false"]).outcome == .exited(3))
  }
}
