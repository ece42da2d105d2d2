import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchComparison
import LaunchObserver

struct GateInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a commented configuration from measured launches.",
    usage: "launchprof gate init [<options>] [<trace> ... | -- <program> [<arguments> ...]]",
    discussion: """
      A budget is the longest time that the launches make likely, and half more. A file that exists is not written over, unless --force says so.
      """)

  @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Where to write it.", valueName: "file"))
  var output = BudgetsFile.defaultPath

  @Option(help: ArgumentHelp("Launches of the program.", valueName: "n"))
  var runs = GateConfiguration.standardRuns

  @Flag(help: "Write over a file that exists.")
  var force = false

  @OptionGroup var launching: LaunchingOptions

  @OptionGroup var judged: GateSubjectArgument

  func validate() throws {
    try judged.validate(help: Self.self, verb: "gate init")
    try RunCount.validate(runs, option: "--runs")
  }

  func run() throws {
    if !force, access(output, F_OK) == 0 {
      throw fail(
        "\(output): exists already; --force writes over it, -o names another file", status: CommandStatus.failure)
    }
    let launches = try measured()
    guard launches.contains(where: { $0.leftOut == nil }) else {
      throw fail("no launch counts: \(launches.count) failed or were left out", status: 3)
    }
    let text = GateTemplate(launches).text
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL)
    let file = open(output, flags, 0o666)
    guard file >= 0 else { throw cannotWrite(errno) }
    let error = Array(text.utf8).withUnsafeBytes { writeAll(file, $0) }
    if close(file) != 0 || error != 0 { throw cannotWrite(error != 0 ? error : errno) }
    if !launching.quiet { tell("Wrote \(output): look at its budgets, and then run launchprof gate") }
  }

  private func measured() throws -> [Measurement] {
    switch judged.subject {
    case .traces(let arguments): return try Measuring.measurements(arguments)
    case .program(let program):
      return try launching.bench(program, versus: nil, maxRuns: runs, ComparisonOptions())
        .run(isQuiet: launching.quiet).result.launches
    }
  }

  private func cannotWrite(_ error: Int32) -> ExitCode {
    fail("\(output): cannot be written: \(systemMessage(error))", status: CommandStatus.failure)
  }
}
