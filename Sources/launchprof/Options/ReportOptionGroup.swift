// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchReport

/// How a report looks. Every command that prints a report has these options.
struct ReportOptionGroup: ParsableArguments {
  @Option(help: "Order of siblings in the tree: start (default) or time (longest first).")
  var sort: ReportOptions.Sort?

  @Option(
    help: ArgumentHelp(
      "Add up time by library, module, symbol, phase, thread, state or runtime (what Swift itself did). Or group several "
        + "launches by reason, context, kind, version, build, or a key of the program's own metadata.",
      valueName: "aspect"))
  var by: ReportAspect?

  @Option(parsing: .unconditional, help: ArgumentHelp("Levels of the flame tree to show.", valueName: "n"))
  var depth: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of the text in columns (default: the terminal's, else 80).", valueName: "n"))
  var width: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave out rows that take less of the launch than this, in percent (default: 0.5).", valueName: "percent"))
  var minPercent: Double?

  @Flag(help: "Show the main thread only.")
  var mainThread = false

  @Flag(help: "Show sampled functions inside the intervals that called them, instead of in a separate tree.")
  var merge = false

  @Flag(help: "Show the whole report instead of one screen. Options that shape the tree imply it.")
  var full = false

  @Flag(help: "Use no colour. The variable NO_COLOR does the same.")
  var noColor = false

  func validate() throws {
    if let depth, depth < 1 { throw ValidationError("--depth \(depth): expected at least 1 level.") }
    if let width, width < 40 || width > 10_000 {
      throw ValidationError("--width \(width): expected 40 to 10000 columns.")
    }
    if let minPercent, !(0...100).contains(minPercent) {
      throw ValidationError("--min-percent \(minPercent): expected 0 to 100.")
    }
  }

  /// Options for the tree make no sense without the tree.
  private var shapesTree: Bool { depth != nil || minPercent != nil || mainThread || merge || sort == .time }

  /// The given options that change nothing in a report.
  func withoutEffect(on format: ReportFormat, _ rows: ReportOptions.Rows?, findings: Bool) -> [String] {
    let isForPeople = format.reader == .person
    let hasTree = isForPeople && !findings && !isBreakdown
    let isTable = isForPeople || format.reader == .program
    // Findings and libraries are not those of one thread.
    let hasThreads =
      findings
      ? format.reader == .browser
      : rows.map { [.spans, .phases, .events, .statistics].contains($0) } ?? (format != .chromeJSON)
    let canMerge = [.json, .folded].contains(format)
    let shown: [(name: String, isGiven: Bool, hasEffect: Bool)] = [
      ("--sort", sort != nil, isForPeople && !findings), ("--depth", depth != nil, hasTree),
      ("--width", width != nil, isForPeople), ("--min-percent", minPercent != nil, isForPeople && !findings),
      ("--full", full, hasTree && format == .text), ("--merge", merge, hasTree || canMerge && !findings),
      ("--by", by != nil, isTable && (format != .csv || isBreakdown || rows == .statistics)),
      ("--main-thread", mainThread, hasThreads),
    ]
    return shown.filter { $0.isGiven && !$0.hasEffect }.map(\.name)
  }

  /// Whether the times of parts of the launch are added up, instead of those of groups of launches.
  var isBreakdown: Bool {
    if case .part = by { true } else { false }
  }

  /// - Parameter descriptor: where the report goes; nil for a file.
  func options(for descriptor: Int32?) -> ReportOptions {
    var options = Self.defaults(for: descriptor)
    options.sort = sort ?? .start
    switch by {
    case .label(let label)?: options.by = label
    case .part(let aspect)?: options.breakdown = aspect
    case nil: break
    }
    options.depth = depth
    options.width = width ?? options.width
    options.minPercent = minPercent ?? options.minPercent
    options.showsRareFunctions = minPercent != nil
    options.mainThreadOnly = mainThread
    options.merge = merge
    options.sourceFolders = SourceFolders.current()
    options.isBrief = !full && !shapesTree
    options.color = options.color && !noColor
    return options
  }

  /// The options of a report when none is given.
  static func defaults(for descriptor: Int32?) -> ReportOptions {
    var options = ReportOptions()
    options.width = descriptor.flatMap(terminalWidth) ?? options.width
    options.color = hasColor(descriptor)
    options.ascii = !isLocaleUTF8
    return options
  }

  /// Determined like in setlocale(3). The C locale is not UTF-8.
  static var isLocaleUTF8: Bool {
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? "C"
    let charset = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" }.lowercased()
    return charset == "utf-8" || charset == "utf8"
  }
}

extension ReportOptions.Sort: ExpressibleByArgument {}

/// An environment variable; nil if it is empty or not set.
func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}

/// Whether text may have colours where it goes; nil for a file.
func hasColor(_ descriptor: Int32?) -> Bool {
  descriptor.map { isatty($0) == 1 } ?? false && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
}

/// The width of the terminal of `descriptor`, or the value of COLUMNS; nil if there is neither.
func terminalWidth(_ descriptor: Int32) -> Int? {
  var size = winsize()
  if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  return environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
}
