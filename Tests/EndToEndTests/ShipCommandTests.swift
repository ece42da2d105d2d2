// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// What `ship` leaves out, counts and refuses.
struct ShipCommandTests {
  let launchprof: Launchprof

  init() throws {
    launchprof = try Launchprof()
    mkdir(launchprof.directory.appending("spool"), 0o700)
  }

  /// Writes a file with the name of a record.
  private func add(_ number: Int, _ text: String) throws {
    try launchprof.directory.write(text, to: "spool/179534160000\(number)-\(Self.id(number)).json")
  }

  private static func id(_ number: Int) -> String { String(repeating: "\(number)", count: 32) }

  private static func record(_ number: Int, format: Int = 1) -> String {
    "{\"record\":\(format),\"id\":\"\(id(number))\",\"time\":1795341600000000000}\n"
  }

  private var left: [String] { names(in: launchprof.directory.appending("spool")).filter { $0.hasSuffix(".json") } }

  /// Nobody listens: what is tried is told.
  @Test func aNewerFormatIsNotSentAsASpan() throws {
    try add(1, Self.record(1, format: 9))
    let ship = ["ship", "--spool", "spool", "--retry-for", "0", "--to"]
    let spans = try launchprof.run(ship + ["otlp=http://127.0.0.1:1"])
    #expect(spans.outcome == .exited(1) && left.count == 1)
    let told = "1 record of a newer format cannot become a span, and stays; update launchprof"
    #expect(spans.errorText == "http://127.0.0.1:1/v1/traces: \(told)\n0 sent, 0 refused, 1 left\n")
    // A file gets it as it is.
    #expect(try launchprof.run(ship + ["all.jsonl"]).succeeded && left.isEmpty)
    let file = try launchprof.run(["ship", "all.jsonl", "--to", "otlp=http://127.0.0.1:1", "--retry-for", "0"])
    #expect(file.outcome == .exited(1) && file.errorText == spans.errorText)
  }

  /// A record leaves its spool only for a place that keeps it.
  @Test func pipesAndDevicesGetNoRecordsOfASpool() throws {
    try add(1, Self.record(1))
    #expect(mkfifo(launchprof.directory.appending("pipe"), 0o600) == 0)
    for place in ["/dev/null", "pipe"] {
      let run = try launchprof.run(["ship", "--spool", "spool", "--to", place], timeout: 20)
      #expect(run.outcome == .exited(64) && left.count == 1, "\(place)")
      #expect(run.errorText.contains("\(place): is not a regular file"), "\(run.errorText)")
    }
    // From files, nothing is removed.
    try launchprof.directory.write(Self.record(2), to: "one.jsonl")
    #expect(try launchprof.run(["ship", "one.jsonl", "--to", "/dev/null"]).succeeded)
  }

  @Test func aFileThatIsItsOwnDestinationIsAWrongOption() throws {
    let file = try launchprof.directory.write(Self.record(1), to: "one.jsonl")
    let run = try launchprof.run(["ship", "one.jsonl", "--to", "./one.jsonl"])
    #expect(run.outcome == .exited(64), "\(run.errorText)")
    #expect(run.errorText.contains("./one.jsonl: is one of the files to ship; name another file"), "\(run.errorText)")
    #expect(try contents(file) == Array(Self.record(1).utf8))
  }
}
