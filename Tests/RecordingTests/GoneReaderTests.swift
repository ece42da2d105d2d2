// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// The reader of what launchprof prints has enough: `2>&1 | head`.
final class GoneReaderTests: CommandSuite {
  @Test func recordsAndStatusCountAlsoIfNobodyReadsTheReport() throws {
    let script = """
      "$0" record --record r.jsonl -o t.pftrace -- sh -c 'sleep 0.2; exit 7' 2>&1 | :
      echo "${PIPESTATUS[0]}"
      """
    let run = try TestProcess.run("/bin/bash", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.text == "7\n")
    #expect(try contents(launchprof.directory.appending("r.jsonl")).count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try launchprof.run(["report", "t.pftrace"]).succeeded)
  }

  /// A program gets the signal as without launchprof.
  @Test func aProgramStillEndsByTheSignal() throws {
    let script = """
      "$0" record -q -o t.pftrace -- sh -c 'while :; do echo line; done' | head -1
      echo "${PIPESTATUS[0]}"
      """
    let run = try TestProcess.run("/bin/bash", ["-c", script, Launchprof.path], directory: launchprof.directory.path)
    #expect(run.text == "line\n141\n", "\(run.text) \(run.errorText)")
  }
}
