import Foundation
import TestSupport
import Testing

struct CommandLineTests {
  private let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }

  @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
  func helpNamesTheCommands(arguments: [String]) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(0))
    for part in ["USAGE: launchprof <subcommand>", "record", "report", "ui.perfetto.dev"] {
      #expect(run.text.contains(part), "\(part)")
    }
    #expect(run.errorText.isEmpty)
  }

  @Test(arguments: [
    ("record", ["--runs", "--warmup", "--output", "--budgets", "--timeout", "--quiet", "124", "125"]),
    (
      "report",
      ["--format", "folded", "markdown", "chrome-json", "--rows", "--sort", "--depth", "--width", "--no-color"]
    ),
  ])
  func eachCommandHasHelp(verb: String, parts: [String]) throws {
    for arguments in [["help", verb], [verb, "--help"]] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0))
      for part in parts { #expect(run.text.contains(part), "\(part)") }
    }
  }

  @Test func findingsAreExplained() throws {
    let all = try launchprof.run(["explain"])
    #expect(all.outcome == .exited(0))
    #expect(all.text.contains("main-thread-waiting  "))
    let ids = all.text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    let page = try String(contentsOfFile: PackageRoot.appending("docs/findings.md"), encoding: .utf8)
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("## ") } == ids.map { "## \($0)" })
    let each = try launchprof.run(["explain"] + ids)
    #expect(each.outcome == .exited(0))
    for id in ids { #expect("\n\(each.text)".contains("\n\(id)\n"), "\(id)") }
    let one = try launchprof.run(["explain", "main-thread-waiting", "debug-build"])
    #expect(one.outcome == .exited(0))
    #expect(one.text.hasPrefix("main-thread-waiting\n"))
    #expect(one.text.contains("What to do") && one.text.contains("\n\ndebug-build\n"))
    let none = try launchprof.run(["explain", "no-such-finding"])
    #expect(none.outcome == .exited(64))
    #expect(none.errorText.contains("'no-such-finding' is no finding. There are:\n  failed-launch\n"))
    #expect(none.errorText.contains("\n  main-thread-over-budget\n"))
  }

  @Test func theVersionIsPrinted() throws {
    let run = try launchprof.run(["--version"])
    #expect(run.outcome == .exited(0))
    #expect(run.text.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shellsGetCompletions(shell: String) throws {
    let run = try launchprof.run(["--generate-completion-script", shell])
    #expect(run.outcome == .exited(0))
    #expect(run.text.contains("launchprof"))
    #expect(run.text.contains("timeout"))
  }

  @Test(arguments: [
    ["record"], ["record", "--"], ["record", "-n", "0", "--", "true"], ["record", "-n", "x", "--", "true"],
    ["record", "-n", "-3", "--", "true"], ["record", "--warmup", "-1", "--", "true"],
    ["record", "--timeout", "0", "--", "true"], ["record", "--timeout", "soon", "--", "true"],
    ["record", "--no-such-option", "--", "true"], ["record", "--depth", "0", "--", "true"], ["nonsense"],
    ["report", "--format", "pdf", "x"], ["report", "--width", "3", "x"], ["report", "--sort", "name", "x"],
    ["report", "--min-percent", "101", "x"], ["report", "--depth", "-1", "x"],
  ])
  func wrongOptionsAreUsageErrors(arguments: [String]) throws {
    let run = try launchprof.run(arguments)
    #expect(run.outcome == .exited(64))
    #expect(run.text.isEmpty)
    #expect(run.errorText.contains("Error:"), "\(run.errorText)")
    #expect(try launchprof.directory.contents().isEmpty)
  }

  @Test func theOptionsOfTheProgramAreItsOwn() throws {
    for arguments in [
      ["record", "-q", "--", "echo", "-n", "--help", "--", "-o"], ["record", "-q", "echo", "-n", "--help", "--", "-o"],
    ] {
      let run = try launchprof.run(arguments)
      #expect(run.outcome == .exited(0))
      #expect(run.text == "--help -- -o")
    }
  }
}
