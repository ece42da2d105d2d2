import ArgumentParser
import LaunchFleet
import LaunchReport

struct FleetCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare launches of two versions like with like: what got slower, for whom, and what is another mix.",
    discussion: """
      --base and --head say which launches are compared, as --where does: version=2.0, meta.channel=beta.

      \(GateStatus.help)
      """)

  @OptionGroup var files: FleetFileOptions

  @Option(help: ArgumentHelp("The launches to compare with: version=2.0.", valueName: "column=value"))
  var base: [String]

  @Option(help: ArgumentHelp("The launches to judge: version=2.1.", valueName: "column=value"))
  var head: [String]

  @OptionGroup var comparing: FleetComparingOptions
  @OptionGroup var output: FleetOutputOptions

  func run() throws {
    let sides = (
      base: try FleetFileOptions.checked(base, "--base"), head: try FleetFileOptions.checked(head, "--head")
    )
    let comparison = try files.compare(comparing.options(base: sides.base, head: sides.head, files)).comparison
    try output.write(FleetDocument(comparison))
    try GateStatus.end(comparison.status, comparing.policy)
  }
}
