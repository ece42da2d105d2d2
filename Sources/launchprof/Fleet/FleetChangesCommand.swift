import ArgumentParser
import LaunchFleet
import LaunchReport

struct FleetChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "The days or versions from which on launches take another time, like with like.",
    discussion: """
      A change takes three points on each side. It is shown when the launches make it 400 times as likely as none. Where \
      they leave several points, these are listed, with the probability of each.
      """)

  @OptionGroup var files: FleetFileOptions

  @Option(help: "What the points are: day, version or build.")
  var by: FleetChanges.Series = .day

  @Option(help: ArgumentHelp("total, phase/NAME, milestone/NAME, … (default: total).", valueName: "metric"))
  var metric = "total"

  @Option(
    help: ArgumentHelp(
      "Columns to hold equal (default: program, end, machine, kind, reason, context, os).", valueName: "columns"))
  var mix: String?

  @Option(help: ArgumentHelp("The smallest change to tell, in percent.", valueName: "percent"))
  var least = PercentArgument(part: 0.02)

  @OptionGroup var output: FleetOutputOptions

  func run() throws {
    var question = FleetQuestion()
    let columns = mix?.split(separator: ",").map { String($0) }
    question.labels = .named(
      Set((columns ?? ["machine", "kind", "reason", "context", "os"]) + ["program", "end", by.rawValue]))
    question.metrics = [metric]
    let table = try files.read(question)
    let changes = try FleetFileOptions.told { () throws(FleetError) in
      try FleetChanges(table, by: by, metric: metric, mix: columns, least: least.part, tail: files.tail)
    }
    try output.write(FleetDocument(changes))
  }
}

extension FleetChanges.Series: ExpressibleByArgument {}
