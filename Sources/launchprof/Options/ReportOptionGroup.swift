import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchReport

/// How a report is to look: shared by the commands that make one.
struct ReportOptionGroup: ParsableArguments {
  @Option(help: "Order of siblings in the tree: start (default) or time (longest first).")
  var sort: ReportOptions.Sort?

  @Option(
    help: ArgumentHelp(
      "Whose time it was: total and self by library, module, symbol, phase, thread or state; or group several launches by "
        + "reason, context, kind, version, build, or a key of the program's own metadata.",
      valueName: "aspect"))
  var by: ReportAspect?

  @Option(parsing: .unconditional, help: ArgumentHelp("Levels of the flame tree to show.", valueName: "n"))
  var depth: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Columns of the text (default: the terminal's, else 80).", valueName: "n"))
  var width: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sum up what takes less of the launch, in percent (default: 0.5).", valueName: "percent"))
  var minPercent: Double?

  @Flag(help: "Leave out the other threads.")
  var mainThread = false

  @Flag(help: "Put the functions that samples saw into the tree of intervals, instead of a tree of their own.")
  var merge = false

  @Flag(help: "Show everything; without it the text fits on one screen. Options that shape the tree imply it.")
  var full = false

  @Flag(help: "No colour, also on a terminal (as with NO_COLOR set).")
  var noColor = false

  func validate() throws {
    if let depth, depth < 1 { throw ValidationError("--depth \(depth): at least 1 level must be shown.") }
    if let width, width < 40 || width > 10_000 {
      throw ValidationError("--width \(width): expected 40 to 10000 columns.")
    }
    if let minPercent, !(0...100).contains(minPercent) {
      throw ValidationError("--min-percent \(minPercent): expected 0 to 100.")
    }
  }

  /// Whoever asks how the tree is to look wants to see it.
  private var shapesTree: Bool { depth != nil || minPercent != nil || mainThread || merge || sort == .time }

  /// Those that were given and that only a report for people has a use for.
  var ofText: [String] {
    let given: [(name: String, isGiven: Bool)] = [
      ("--sort", sort != nil), ("--depth", depth != nil), ("--width", width != nil),
      ("--min-percent", minPercent != nil),
    ]
    return given.filter(\.isGiven).map(\.name)
  }

  /// - Parameter descriptor: where the report goes; nil for a file.
  func options(for descriptor: Int32?) -> ReportOptions {
    let isTerminal = descriptor.map { isatty($0) == 1 } ?? false
    var options = ReportOptions()
    options.sort = sort ?? .start
    switch by {
    case .label(let label)?: options.by = label
    case .part(let aspect)?: options.breakdown = aspect
    case nil: break
    }
    options.depth = depth
    options.width = width ?? descriptor.flatMap(terminalWidth) ?? options.width
    options.minPercent = minPercent ?? options.minPercent
    options.showsRareFunctions = minPercent != nil
    options.mainThreadOnly = mainThread
    options.merge = merge
    options.sourceFolders = SourceFolders.current()
    options.isBrief = !full && !shapesTree
    options.color = isTerminal && !noColor && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    options.ascii = !Self.isLocaleUTF8
    return options
  }

  /// As when no option is given.
  static func defaults(for descriptor: Int32?) -> ReportOptions {
    let isTerminal = descriptor.map { isatty($0) == 1 } ?? false
    var options = ReportOptions()
    options.width = descriptor.flatMap(terminalWidth) ?? options.width
    options.color = isTerminal && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    options.ascii = !isLocaleUTF8
    return options
  }

  /// As setlocale(3) decides it; the C locale is not UTF-8.
  static var isLocaleUTF8: Bool {
    let locale = environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? "C"
    let charset = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" }.lowercased()
    return charset == "utf-8" || charset == "utf8"
  }
}

extension ReportOptions.Sort: ExpressibleByArgument {}

/// An environment variable; nil when it is empty or not set.
func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}

/// Columns of the terminal behind `descriptor`, or of COLUMNS; nil if neither says.
func terminalWidth(_ descriptor: Int32) -> Int? {
  var size = winsize()
  if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  return environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
}
