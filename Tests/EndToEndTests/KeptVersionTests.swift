// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// This version reads files of each format version, as written by the releases that had it: docs/compatibility.md. A
/// new version of a format adds its file to Tests/Fixtures/versions, and never changes an existing one.
final class KeptVersionTests: CommandSuite {
  private func keep(_ name: String) throws {
    try launchprof.directory.write(try contents(PackageRoot.appending("Tests/Fixtures/versions/\(name)")), to: name)
  }

  @Test(arguments: ["trace-1.pftrace"]) func traces(name: String) throws {
    try keep(name)
    let report = try launchprof.run(["report", name, "--format", "json"])
    #expect(report.outcome == .exited(0), "\(report.errorText)")
    #expect(report.text.contains("\"/srv/app/app\""), "\(report.text)")
    #expect(report.text.contains("\"static-init\""), "\(report.text)")
  }

  @Test(arguments: ["1", "2"]) func histories(version: String) throws {
    let name = "history-\(version).sqlite"
    try keep(name)
    let list = try launchprof.run(["history", "list", "--store", name])
    #expect(list.outcome == .exited(0), "\(list.errorText)")
    #expect(list.text.contains("aaaa1111") && list.text.contains("2 launches"), "\(list.text)")
    #expect(list.text.contains("(main)"), "\(list.text)")
    let copies = try launchprof.directory.contents().filter { $0.contains(".version-") }
    #expect(copies == (version == "1" ? ["\(name).version-1"] : []))
  }

  @Test(arguments: ["budgets-1.yml"]) func budgets(name: String) throws {
    try keep(name)
    try keep("trace-1.pftrace")
    let gate = try launchprof.run(["gate", "--config", name, "--format", "csv", "trace-1.pftrace"])
    // The median of one launch has no interval.
    #expect(gate.outcome == .exited(4), "\(gate.text)\(gate.errorText)")
    #expect(gate.text.contains("budget,total,"), "\(gate.text)")
  }
}
