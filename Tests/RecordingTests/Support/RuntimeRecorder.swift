// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Suites that watch Swift's runtime run one at a time: a probe in a library takes breakpoint instructions away that others
/// have there.
@Suite(.serialized) enum RuntimeDetailTests {}

/// Records with `--detail globals` and its like, by each means.
struct RuntimeRecorder {
  /// By what calls are seen: probes need root.
  enum Means: String, CaseIterable { case uprobes, ptrace }

  /// What there is to test here: root is tried as an ordinary user, too.
  static let means: [Means] = geteuid() == 0 ? [.ptrace, .uprobes] : [.ptrace]

  let launchprof: Launchprof
  var directory: TemporaryDirectory { launchprof.directory }

  init() throws { launchprof = try .observing() }

  private static let mostLaunches = 4

  /// What the program printed, and the report. Where the report says that records were lost, the program is launched again: such
  /// a report says nothing else for sure.
  func record(
    _ command: [String], detail: [String] = ["globals"], by means: Means = Self.means[0]
  ) throws -> (text: String, report: JSONReport) {
    for _ in 0..<Self.mostLaunches {
      let (text, report) = try recordOnce(command, detail: detail, by: means)
      if report.lostRecords == 0 { return (text, report) }
    }
    throw ToolFailure("\(means): records of \(Self.mostLaunches) launches were lost")
  }

  /// The same of a single launch, in which records may be lost. Stacks would share the memory with the records of calls.
  func recordOnce(
    _ command: [String], detail: [String] = ["globals"], by means: Means = Self.means[0]
  ) throws -> (text: String, report: JSONReport) {
    // The kernel takes its own instructions away, and those of others with them.
    if means == .ptrace { try Self.waitForProbesToGo() }
    let trace = directory.appending("\(means).pftrace")
    chmod(directory.path, 0o777)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let options =
      ["record", "-q", "-o", trace, "--ready", "exit", "--no-samples"] + detail.flatMap { ["--detail", $0] } + ["--"]
    let run = try TestProcess.run(
      "/usr/bin/env", (means == .ptrace && geteuid() == 0 ? user : []) + [Launchprof.path] + options + command,
      adding: ["HOME": directory.path, "TMPDIR": directory.path, "XDG_RUNTIME_DIR": "", "LC_ALL": "C.UTF-8"],
      directory: directory.path)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    chmod(trace, 0o644)
    let report = try JSONReport(launchprof, trace)
    for member in ["lazyGlobals", "lookups"] {
      guard let table = report.launch[member] as? [String: Any] else { continue }
      #expect(table["means"] as? String == means.rawValue)
    }
    unlink(trace)
    return (run.text, report)
  }

  /// The command leaves a process behind that closes its probes.
  static func waitForProbesToGo() throws {
    func isThere() throws -> Bool {
      try TestProcess.run("/usr/bin/pgrep", ["--exact", "--runstates", "R,S,D", "probes-closing"]).succeeded
    }
    for _ in 0..<300 {
      guard try isThere() else { return }
      usleep(100_000)
    }
    throw ToolFailure("a launchprof is still closing its probes")
  }

  /// How often a program calls functions whose names contain one of these, by a simulated processor. It must have Swift's
  /// runtime in itself: valgrind would translate the instructions of somebody's probes in a library.
  func calls(of functions: [String], in command: [String]) throws -> [Int] {
    let output = directory.appending("callgrind.out")
    try Compiler.run(
      "valgrind", ["--tool=callgrind", "--callgrind-out-file=\(output)", "--compress-strings=no"] + command,
      in: directory)
    let lines = String(decoding: try contents(output), as: UTF8.self).split(separator: "\n")
    return functions.map { function in
      zip(lines, lines.dropFirst()).reduce(0) { sum, pair in
        // A closure has its function's name in its own.
        guard pair.0.hasPrefix("cfn="), pair.0.contains(function), !pair.0.contains("::$"), pair.1.hasPrefix("calls=")
        else { return sum }
        return sum + (Int(pair.1.dropFirst("calls=".count).prefix { $0.isNumber }) ?? 0)
      }
    }
  }
}
