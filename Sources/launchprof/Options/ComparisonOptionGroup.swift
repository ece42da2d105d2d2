// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchAnalysis
import LaunchReport

/// How launches are compared, and how the comparison is shown. `compare`, `bench` and `gate` have these options.
struct ComparisonOptionGroup: ParsableArguments {
  @OptionGroup var thresholds: ThresholdOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Confidence of a verdict, in percent (default: 99).", valueName: "percent"))
  var confidence: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "How much two sessions of an unchanged program differ on this machine, in percent (default: as the history says, else 26).",
      valueName: "percent"))
  var sessionSpread: PercentArgument?

  @Option(
    help: ArgumentHelp(
      "Compare although this differs between base and head. May be given several times.", valueName: "what"))
  var allow: [Provenance.Field] = []

  @Option(help: "How an inconclusive comparison ends: fail (exit status 4, the default), warn or pass (exit status 0).")
  var inconclusive: InconclusivePolicy?

  @Option(
    help: ArgumentHelp(
      "What to show: total, cpu, phase, phase/NAME, interval/NAME, library/NAME, state, resource (default: what changed most).",
      valueName: "metric"))
  var metric: [String] = []

  @Option(help: "Format of the result on standard output (default: text).")
  var format: ComparisonFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Also write the result to this file. Its extension selects the format: md, csv, json, xml, html, txt, bmf.json or "
        + "benchmark.json. May be given several times.",
      valueName: "file"), completion: .file())
  var output: [String] = []

  @Option(parsing: .unconditional, help: ArgumentHelp("Levels of the flame tree to show (0 for none).", valueName: "n"))
  var depth: Int?

  @OptionGroup var text: TextOptionGroup

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth \(depth): expected 0 or more levels.") }
    if let confidence, !(0.5..<1).contains(confidence.part) {
      throw ValidationError("--confidence: expected at least 50 and less than 100 percent.")
    }
    for word in metric {
      if let mistake = MetricWord.mistake(in: word) { throw ValidationError("--metric \(shown(word)): \(mistake).") }
    }
    for path in output where ResultWriting.format(of: path) == nil {
      throw ValidationError(
        "--output \(shown(path)): its extension selects no format; use md, csv, json, xml, html, txt, bmf.json or "
          + "benchmark.json.")
    }
  }

  /// Before launches are made: names that they probably do not have.
  func tellDoubtfulMetrics() {
    for word in metric {
      guard let suggestion = MetricWord.suggestion(for: word) else { continue }
      tell(
        "launchprof: --metric \(shown(word)): did you mean \(shown(suggestion))? If no part of the launches has this name, the "
          + "comparison will be refused after them.")
    }
  }

  /// Those that the user gave, and that change nothing in a result without a comparison.
  var givenForComparisons: [String] {
    let all = [
      ("--relative", thresholds.allowed.relative != nil), ("--absolute", thresholds.allowed.absolute != nil),
      ("--session-spread", sessionSpread != nil), ("--allow", !allow.isEmpty), ("--depth", depth != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  /// The options of the command line, which override those of a configuration.
  func comparisonOptions(over configured: ComparisonOptions = ComparisonOptions()) -> ComparisonOptions {
    var options = configured
    if let confidence { options.tail = (1 - confidence.part) / 2 }
    thresholds.apply(to: &options)
    if let sessionSpread { options.sessionSpread = sessionSpread.part }
    options.allowed.formUnion(allow)
    return options
  }

  /// - Parameter descriptor: where the report goes; nil for a file.
  func reportOptions(for descriptor: Int32?) -> ComparisonReportOptions {
    var options = text.reportOptions(for: descriptor)
    options.metrics = metric
    options.depth = depth
    return options
  }
}

extension Provenance.Field: ExpressibleByArgument {}
extension ComparisonFormat: ExpressibleByArgument {}

extension InconclusivePolicy: ExpressibleByArgument {}

/// `3`, `3%`, `0.5 %`.
struct PercentArgument: ExpressibleByArgument {
  /// 0.03 for 3 %.
  let part: Double

  init(part: Double) { self.part = part }

  /// As it is typed.
  var defaultValueDescription: String {
    let percent = part * 100
    return percent == percent.rounded() ? String(Int(percent)) : String(percent)
  }

  init?(argument: String) {
    let trimmed = argument.hasSuffix("%") ? String(argument.dropLast()) : argument
    guard let value = Double(trimmed.split(separator: " ").joined()), value.isFinite, (0...10_000).contains(value)
    else { return nil }
    part = value / 100
  }
}

/// A span of time that may be nothing: `1ms`, `0`.
struct TimeLimitOrZero {
  let nanoseconds: Int64

  /// - Throws: `ValidationError`, which says what a time is.
  init(text: String) throws {
    guard let time = text == "0" ? 0 : TimeText.nanoseconds(text) else {
      throw ValidationError("expected \(TimeText.expectation)")
    }
    nanoseconds = time
  }
}
