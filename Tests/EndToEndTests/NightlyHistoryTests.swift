// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// A job adds one commit each night, and asks what is new since the commit of its last run.
final class NightlyHistoryTests: CommandSuite {
  private func add(_ night: Int, microseconds: Int, _ name: String = "boot") throws {
    let files = (0..<3).map { "\(night)-\($0).json" }
    for (number, file) in files.enumerated() {
      // Launches with the same content would be the same launch.
      let time = microseconds + (night * 7 + number * 5) % 11 * 100 + night * 3 + number
      let process = #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"alpha"}}"#
      let work = #"{"name":"\#(name)","ph":"X","ts":0,"dur":\#(time),"pid":1,"tid":1}"#
      try launchprof.directory.write(#"{"traceEvents":[\#(process),\#(work)]}"#, to: file)
    }
    try launchprof.history(["add", "--commit", "c\(night)"] + files)
  }

  /// A change is found at its third commit. The filter left it out in each night.
  @Test func oneNightTellsAChange() throws {
    for night in 1...10 {
      try add(night, microseconds: night < 6 ? 100_000 : 160_000)
      guard night > 5 else { continue }
      let run = try launchprof.history(
        ["changes", "--exit-code", "--since", "c\(night - 1)"], status: night == 8 ? 2 : 0)
      #expect(run.text.contains("c6  total +") == (night == 8), "\(night): \(run.text)")
    }
    #expect(try launchprof.history(["changes", "--exit-code"], status: 2).text.contains("c6  total +"))
    #expect(try launchprof.history(["changes", "--since", "c7"]).text.contains("c6  total +"))
    // There are changes, and none of them is new.
    let none = try launchprof.history(["changes", "--since", "c8"]).text
    #expect(none.hasPrefix("no new change since c8 (") && none.contains("3 commits on each side"), "\(none)")
  }

  /// The command said that the series has no launch of this commit.
  @Test func theLastRunMayLackTheMetric() throws {
    try add(1, microseconds: 100_000)
    try add(2, microseconds: 100_000, "other")
    let changes = ["changes", "--metric", "interval/boot", "--since"]
    #expect(try launchprof.history(changes + ["c2"]).text.contains("since c2"))
    let unknown = try launchprof.history(changes + ["c3"], status: 1)
    #expect(unknown.errorText.contains("no launch of this commit"), "\(unknown.errorText)")
  }
}
