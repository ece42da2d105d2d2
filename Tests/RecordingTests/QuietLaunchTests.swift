// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Programs that nothing holds up have no findings, in 50 launches that no other program disturbed.
struct QuietLaunchTests {
  private static let wanted = 50
  /// The most launches for one test.
  private static let most = 400

  private let launchprof: Launchprof

  init() throws { launchprof = try .undisturbed() }

  /// Launches until `wanted` launches were quiet, and returns the findings of those.
  private func launch(_ command: [String], wanted: Int) throws -> (quiet: Int, found: [String]) {
    var (quiet, launched) = (0, 0)
    var found: [String] = []
    while quiet < wanted, launched < Self.most {
      let series = launchprof.directory.appending("series-\(launched)/")
      let run = try launchprof.run(["record", "-q", "-n", "\(wanted)", "-o", series, "--"] + command)
      guard run.succeeded else { throw ToolFailure("\(command): \(run.errorText)") }
      launched += wanted
      let launches = try FoundReport(launchprof, series).launches
      let usual = launches.map(\.total).sorted()[launches.count / 2]
      for launch in launches where try launch.total < Self.slow(usual) && isQuiet(launch) {
        quiet += 1
        found += launch.findings.map { "\($0.id) \($0.subject) \($0.actual)" }
      }
    }
    return (quiet, found)
  }

  /// The processor itself may be slow for a while, for example because another virtual machine uses it. Nothing in the launch
  /// shows that, but it then takes much longer than the series' other launches.
  private static func slow(_ usual: Int64) -> Int64 { usual + usual / 2 }

  /// True if no other program took the processor or the pages. A launch that really read from a disk is not quiet.
  private func isQuiet(_ launch: FoundReport.Launch) throws -> Bool {
    if launch.isDisturbed { return false }
    guard launch.finding("main-thread-blocked-io") != nil, let file = launch.file else { return true }
    let report = try JSONReport(launchprof, file)
    return report.process("majorFaults") == 0 && report.process("readBytes") == 0
  }

  // Without its site packages, python3 keeps its budget also on a slow processor.
  @Test(arguments: [["/bin/true"], ["/usr/bin/python3", "-I", "-S", "-c", "pass"], ["/usr/bin/git", "--version"]])
  func quietLaunchesHaveNoFindings(command: [String]) throws {
    let (quiet, found) = try launch(command, wanted: Self.wanted)
    #expect(quiet >= Self.wanted, "\(command): the machine was quiet in \(quiet) launches only")
    #expect(found.isEmpty, "\(command): \(found)")
  }

  /// The same procedure finds what does hold a program up.
  @Test func whatHoldsUpIsFoundSo() throws {
    let program = try HeldUp.program()
    let (quiet, found) = try launch([program, "sleep"], wanted: 3)
    #expect(quiet >= 3)
    #expect(found.count >= quiet && found.allSatisfy { $0.hasPrefix("main-thread-waiting ") }, "\(found)")
  }
}

/// Tests/ForeignPrograms/held-up.c
enum HeldUp {
  static func program() throws -> String {
    let path = PackageRoot.appending(".build/foreign/held-up")
    guard access(path, X_OK) == 0 else {
      throw ToolFailure("\(path) is missing: run scripts/build-foreign-programs (scripts/test does)")
    }
    return path
  }

  /// The lines of a function, from its name to the closing brace.
  static func lines(of function: String) throws -> ClosedRange<Int> {
    let source = try contents(PackageRoot.appending("Tests/ForeignPrograms/held-up.c"))
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(where: { $0.contains(" \(function)(void) {") }),
      let last = lines[first...].firstIndex(of: "}")
    else { throw ToolFailure("held-up.c has no function \(function)") }
    return first + 1...last + 1
  }
}
