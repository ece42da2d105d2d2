// SPDX-License-Identifier: Apache-2.0

import LaunchObserver
import LaunchTrace
import Synchronization
import Testing

@testable import launchprof

/// What is said about a program that does not meet `--ready`.
struct UnmetRuleTests {
  private func lines(_ rule: String, _ lines: [String], running: Int64? = nil, hasFailed: Bool = false) throws
    -> [String]
  {
    var gap = ReadyGap(rule: try ReadyRule(rule), hasFailed: hasFailed, running: running)
    if !lines.isEmpty { gap.evidence = .init("The last lines of its output:", lines: lines) }
    return UnmetRule.lines(gap)
  }

  @Test func aPatternThatDidNotMatch() throws {
    let long = String(repeating: "x", count: 500)
    let said = try lines("Listening on", ["one", long])
    #expect(
      said.first
        == "The program never met --ready 'Listening on', a pattern for lines of its output. The last lines of its output:"
    )
    #expect(said.dropFirst() == ["  | one", "  | \(String(repeating: "x", count: 120))…", said.last ?? ""])
    #expect(said.last?.contains("change the pattern, or choose another rule with --ready") == true)
  }

  /// Without its beginning, a URL is a pattern.
  @Test(arguments: [
    ("localhost:8080/health", true), ("localhost:8080", true), ("listening: 80", false), ("at /run/x", false),
  ])
  func aPatternThatLooksLikeAURL(rule: String, isURL: Bool) throws {
    #expect(try lines(rule, []).last?.hasSuffix(". A URL begins with http://") == isURL)
  }

  @Test func aProgramThatFailedNeedsNoOtherRule() throws {
    #expect(try lines("listen", [], hasFailed: true) == ["The program never met --ready listen."])
  }

  @Test func oneThatRuns() throws {
    let said = try lines("http://[::1]/", [], running: 10_400_000_000)
    #expect(said.first == "In 10 s, the program has not met --ready http://[::1]/.")
    #expect(
      said.last
        == "launchprof still waits. Ctrl-C ends that, and --timeout limits it. Or choose another rule with --ready")
  }

  /// `bisect` launches the programs of many commits, each with a request of its own.
  @Test func aRuleIsNamedOnceForAllProgramsOfACommand() throws {
    let lines = Mutex<[String]>([])
    let messages = LaunchMessages { line in lines.withLock { $0.append(line) } }
    let options = try ReadinessOptions.parse(["--ready", "never"])
    for _ in 0..<3 {
      var request = LaunchRequest(program: "app", arguments: [])
      options.apply(to: &request, runs: 2, isQuiet: false, telling: messages)
      request.unmet?(ReadyGap(rule: try ReadyRule("never"), hasFailed: false, running: 10_000_000_000))
    }
    #expect(lines.withLock { $0.count { $0.hasPrefix("In 10 s, ") } } == 1)
  }
}
