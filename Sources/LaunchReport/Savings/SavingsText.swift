// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// What changes would save, for people: the greatest saving first, each with how it is done.
struct SavingsText {
  let savings: Savings
  /// What the proving commands name; its file name is enough.
  let program: String
  /// The words by which the user launches it; empty if they are not known.
  var command: [String] = []

  private static let mostNames = 4
  /// In a report of everything.
  private static let mostInReport = 5
  /// Columns.
  private static let leastForTimes = 64

  /// As a section of a report: a line each. Nothing when there is nothing to save.
  func writeSection(_ unit: TimeUnit, to page: inout TextPage) {
    guard !savings.savings.isEmpty else { return }
    let title =
      "What a change would save"
      + (savings.isPartElsewhere ? " of \(unit.text(savings.ownTotal)), the launch's own time" : "")
    page.pieces([(title, .strong), ("launchprof what-if says how, and how to prove it", .faint)], separator: ": ")
    for saving in savings.savings.prefix(Self.mostInReport) { writeLine(saving, unit, to: &page) }
    page.blank()
  }

  func write(to page: inout TextPage) {
    let unit = TimeUnit(for: savings.total, ascii: page.style.isASCII)
    var title = TextLine(page.style)
    title.add("What a change would save", .strong)
    let launches = savings.launches == 1 ? "" : ", the median of \(savings.launches) launches"
    title.add(" of \(unit.text(savings.ownTotal))\(launches)", .faint)
    page.end(title)
    if savings.isPartElsewhere {
      page.paragraph(
        "The launch took \(unit.text(savings.total)). That includes time in which other programs had the processor, or "
          + "nothing was observed. A change saves nothing of it.", indent: 2, .faint)
    }
    for saving in savings.savings { write(saving, unit, to: &page) }
    // Without libraries, most changes cannot be predicted.
    if savings.savings.isEmpty {
      page.paragraph(
        savings.lacksLibraries ? "No change was predicted." : "No change is known that would save much.", indent: 2)
    }
    for refused in savings.refused {
      page.paragraph("not predicted: \(refused.change.rawValue): \(refused.reason)", indent: 2, .faint)
    }
    if savings.lacksLibraries {
      page.paragraph("The trace does not say which library links which. \(remedy)", indent: 2, .faint)
    }
  }

  /// What a trace with libraries needs.
  private var remedy: String {
    savings.shortcoming.isEmpty
      ? "Record the launch with this version, and without --no-observation."
      : "The reason: \(savings.shortcoming). launchprof explain \(FindingName.notInstrumented) says what helps."
  }

  private func writeLine(_ saving: Saving, _ unit: TimeUnit, to page: inout TextPage) {
    let style = page.style
    var line = TextLine(style)
    line.add(right: Self.percent(saving.share) + " %", width: 9, .strong)
    line.add(" \(style.plusMinus) \(Self.percent(saving.error))", .faint)
    line.skip(to: 19)
    // A narrow page has no room for the time.
    if page.width >= Self.leastForTimes {
      line.add(right: (saving.isAtMost ? "at most " : "") + unit.text(saving.time), width: 18)
    }
    line.add("  ")
    line.add(style.name(saving.title, columns: max(0, page.width - line.columns)), .strong)
    page.end(line)
  }

  private func write(_ saving: Saving, _ unit: TimeUnit, to page: inout TextPage) {
    writeLine(saving, unit, to: &page)
    page.paragraph(saving.change.how, indent: 12, .faint)
    if saving.dependsOnRest {
      page.paragraph(
        "not known: how fast the rest of the program runs when it is compiled without this code. The launch may get slower.",
        indent: 12, .faint)
    }
    if saving.gone.count > 1 {
      page.paragraph("goes: \(saving.gone.listed(Self.mostNames))", indent: 12, .faint)
    }
    page.paragraph("proof: \(proof(of: saving.change))", indent: 12, .faint)
  }

  private func proof(of change: LaunchChange) -> String {
    // A build makes a program in this folder: not one of another folder, or of PATH.
    let isBuilt = command.first.map { $0.contains("/") && !$0.hasPrefix("/") } ?? false
    let build = isBuilt && !command[0].contains(".build/") ? "your build" : "swift build -c release"
    func built(_ path: String) -> String { CommandText.line(isBuilt ? command : [path] + command.dropFirst()) }
    return switch change {
    case .staticExecutable where !savings.isSwift:
      "launchprof what-if --prove \(change.rawValue) --build 'your build' --changed-build 'your build, with -static' -- \(built("PATH/\(program)"))"
    case _ where change.isProvable:
      "launchprof what-if --prove \(change.rawValue) --build '\(build)' -- \(built(".build/release/\(program)"))"
    case .prefetch:
      "launchprof record -n 20 --cold -- \(CommandText.line(command.isEmpty ? [program] : command)), and the same without --cold"
    default: "launchprof bench --vs 'old/\(program)' -- new/\(program)"
    }
  }

  /// `12.3`
  private static func percent(_ share: Double) -> String {
    DecimalText.text(Int64((share * 1000).rounded()), decimals: 1)
  }
}
