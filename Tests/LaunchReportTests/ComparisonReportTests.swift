// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// Reports of comparisons that a person has checked. `scripts/bless ComparisonReportTests` updates them after a change.
struct ComparisonReportTests {
  @Test(arguments: SampleResults.all.indices) func textIsAsLookedAt(place: Int) throws {
    let (name, result, status) = SampleResults.all[place]
    #expect(result.status == status)
    if let difference = try Golden.difference(ComparisonFormat.text.string(result), "comparisons/\(name).txt") {
      Issue.record("\(difference)")
    }
  }

  /// Its text is one of those above.
  @Test(arguments: ComparisonFormat.allCases.filter { $0 != .html && $0 != .text })
  func aRegressionIsAsLookedAt(format: ComparisonFormat) throws {
    let name = "comparisons/regression-\(format.rawValue)." + (format == .junit ? "xml" : "txt")
    if let difference = try Golden.difference(format.string(SampleResults.regression), name) {
      Issue.record("\(difference)")
    }
  }

  @Test func whatDecidedComesFirst() {
    let result = SampleResults.counted
    #expect(result.status == .regressed && result.comparison?.decidedBy == "libraries")
    let lines = ComparisonFormat.text.string(result).split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines[0] == "REGRESSED")
    #expect(lines[1].hasPrefix("decided by a count, not by the time: libraries 1 → 2"), "\(lines)")
    let total = lines.first { $0.hasPrefix("total ") }
    #expect(total?.hasSuffix("; the time alone is inconclusive") == true, "\(lines)")
  }

  /// The sentence about the time came first, and looked like the reason.
  @Test func aCountDecidesAlsoIfTheTimeImproved() {
    var launches = ComparedLaunches(seed: 9)
    func image(_ libraries: [String]) -> (String, AnnotationValue) { ("image", SampleResults.image(libraries)) }
    for (faster, alone) in [(0, "did not get slower"), (20_000, "improved")] as [(Int64, String)] {
      let result = SampleResults.result(
        launches.rounds(80, side: "base") { $0.launcher.append(image(["libc.so.6"])) },
        launches.rounds(80, side: "head") {
          $0.launcher.append(image(["libFoundation.so", "libc.so.6"]))
          $0.database -= faster
        })
      #expect(result.status == .regressed)
      let lines = ComparisonFormat.text.string(result).split(separator: "\n").map { $0.drop { $0 == " " } }
      #expect(lines[1].hasPrefix("decided by a count, not by the time: libraries 1 → 2"), "\(lines)")
      #expect(lines.joined(separator: " ").contains("; by the time alone, the launch \(alone)"), "\(lines)")
    }
  }

  @Test func theSameLaunchesAreNoOtherSession() {
    var launches = ComparedLaunches(seed: 8)
    let session = launches.session("monday", 3)
    let text = ComparisonFormat.text.string(SampleResults.result(session, session))
    #expect(text.contains("base and head are the same launches"))
    #expect(!text.contains("from different sessions"), "\(text)")
  }

  /// If a gate fails when inconclusive, its report is not green. If it passes, the report says so.
  @Test func anUndecidedTotalFailsWhereInconclusiveDoes() {
    var result = SampleResults.sessions
    #expect(ComparisonFormat.junit.string(result).contains("<failure message=\"inconclusive: total "))
    result.inconclusiveFails = false
    #expect(ComparisonFormat.junit.string(result).contains("<skipped message=\"inconclusive: total "))
  }

  @Test func eachBudgetIsAnAnnotationAtItsLine() {
    var result = SampleResults.budgets
    for place in result.budgets.indices {
      result.budgets[place].budget.place = QuantileBudget.FileLine(
        file: "head/launch-budgets.yml", line: place + 4, column: 9)
    }
    let lines = ComparisonFormat.github.string(result).split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix("::error file=head/launch-budgets.yml,line=5,title=Launch%3A over budget::phase ")
      },
      "\(lines)")
    #expect(lines.first?.hasPrefix("::error title=Launch%3A over budget::") == true, "\(lines)")
    // A comma with an accent still ends a property.
    result.budgets[1].budget.place = QuantileBudget.FileLine(file: "a,\u{301}title=b:\u{301}%\u{301}", line: 1)
    let text = ComparisonFormat.github.string(result)
    #expect(text.contains("file=a%2C\u{301}title=b%3A\u{301}%25\u{301},line=1,"), "\(text)")
  }

  /// A misspelt name must not pass unseen in the formats that a CI reads.
  @Test func aBudgetOfNoPartIsTold() {
    var result = SampleResults.budgets
    result.unmatched =
      NamedBudgets(
        BudgetRules([BudgetRule(.interval, "qurey", 1)]), of: result.launches, tail: 0.005
      ).unmatched
    let sentence = "no launch has a part that matches intervals: qurey"
    #expect(ComparisonFormat.github.string(result).contains("::warning title=Launch%3A unused budget::\(sentence)"))
    #expect(ComparisonFormat.junit.string(result).contains("<skipped message=\"\(sentence)\">\(sentence)</skipped>"))
    #expect(ComparisonFormat.json.string(result).contains("\"unusedBudgets\": [\n    \"intervals: qurey\"\n  ]"))
  }

  /// GitLab shows only the first of two test cases with the same names, and scripts use the names as a key.
  @Test func aBudgetByNameIsToldFromOneOfTheGate() {
    var result = SampleResults.budgets
    result.budgets = Array(result.budgets.prefix(1)) + result.budgets.prefix(1)
    result.budgets[1].budget.source = .phases
    let cases = ComparisonFormat.junit.string(result).split(separator: "\n").filter { $0.contains("launchprof.budget") }
    #expect(cases.count == 2 && cases[1].contains("classname=\"launchprof.budget.phases\""), "\(cases)")
    let rows = ComparisonFormat.csv.string(result).split(whereSeparator: \.isNewline).filter { $0.hasPrefix("budget,") }
    #expect(rows.count == 2 && rows[0].hasSuffix(",gate") && rows[1].hasSuffix(",phases"), "\(rows)")
    let json = ComparisonFormat.json.string(result)
    #expect(json.contains("\"source\": \"gate\"") && json.contains("\"source\": \"phases\""))
  }

  /// A budget of a microsecond is not one of zero, and four launches give no bounds.
  @Test func smallBudgetsAndFewLaunchesAreReadable() throws {
    let text = ComparisonFormat.text.string(SampleResults.few).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    #expect(text.contains("budget of 0.001 ms") && text.contains("budget of 60 ms"), "\(text)")
    #expect(text.contains(" ms (unknown) ") && !text.contains("−∞ … ∞"), "\(text)")
    let rows = ComparisonFormat.markdown.string(SampleResults.few).split(separator: "\n").filter {
      $0.hasPrefix("| total ")
    }
    #expect(rows.count == 2 && rows.allSatisfy { $0.contains("| unknown |") }, "\(rows)")
    #expect(rows.map { $0.split(separator: "|")[3] } == [" 0.001 ms ", " 60 ms "], "\(rows)")
  }

  /// The percentage matches the two numbers before it, also for paired estimates.
  @Test func baseAndHeadAgreeWithTheChange() throws {
    let text = ComparisonFormat.text.string(SampleResults.regression)
    let total = try #require(text.split(separator: "\n").first { $0.hasPrefix("! total") })
    let fields = total.split(separator: " ").map(String.init)
    let (base, head) = (try #require(Double(fields[2])), try #require(Double(fields[3])))
    let percent = try #require(Double(fields[4].dropFirst()))
    #expect(abs((head / base - 1) * 100 - percent) < 0.1, "\(total)")
  }

  /// And it is one number in all formats.
  @Test func csvAndJSONHaveTheSameHead() throws {
    let change = try #require(SampleResults.sessions.comparison?.total?.shift)
    try #require(change.base + change.estimate.absolute != change.head, "the medians agree by chance")
    let head = Int64(change.base.rounded() + change.estimate.absolute.rounded())
    let row = try #require(
      ComparisonFormat.csv.string(SampleResults.sessions).split(separator: "\r\n").first {
        $0.hasPrefix("change,total,")
      })
    #expect(row.split(separator: ",")[5] == "\(head)", "\(row)")
    let object = try JSONSerialization.jsonObject(with: Data(ComparisonFormat.json.string(SampleResults.sessions).utf8))
    let metrics = ((object as? [String: Any])?["comparison"] as? [String: Any])?["metrics"] as? [[String: Any]]
    let total = try #require(metrics?.first { $0["metric"] as? String == "total" })
    #expect(abs(try #require(total["head"] as? Double) - Double(head)) <= 1, "\(total)")
  }

  /// A median of an even number of launches is half a count.
  @Test func theHeadIsTheBasePlusTheChangeThatIsShown() throws {
    var launches = ComparedLaunches(seed: 9)
    var base = LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(20, side: "base")))
    let faults = Metric(.resource, ["minor-faults"])
    for place in base.indices { base[place].values[faults] = 63 - Double(place % 2) }
    var head = base
    for place in head.indices { head[place].values[faults]? += 0.99 }
    let result = GateResult(comparison: LaunchComparison(base: base, head: head), launches: base + head)
    let rows = ComparisonFormat.csv.string(result).split(separator: "\r\n").filter { $0.hasPrefix("change,") }
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let counted = try #require(rows.first { $0[1] == "minor-faults" })
    #expect(counted[4...6] == ["62.500", "63.490", "0.990"])
    for row in rows { #expect(abs(Double(row[4])! + Double(row[6])! - Double(row[5])!) < 0.0015, "\(row)") }
    #expect(try ComparisonFormat.text.string(result).contains(Regex("minor-faults +62.5 +63.5 ")))
  }

  /// GitHub refuses a job's summary of more than 1 MiB.
  @Test func aSummaryOfManyChangesIsShort() {
    var launches = ComparedLaunches(seed: 9)
    var sides = ["base", "head"].map { side in
      LaunchAnalysis.Measurement.all(LaunchSet(samples: launches.rounds(20, side: side)))
    }
    for (side, time) in zip(sides.indices, [2e6, 8e6]) {
      for place in sides[side].indices {
        for number in 0..<250 { sides[side][place].values[Metric(.interval, ["icon \(number)"])] = time }
      }
    }
    let result = GateResult(
      comparison: LaunchComparison(base: sides[0], head: sides[1]), launches: sides[0] + sides[1])
    let markdown = ComparisonFormat.markdown.string(result)
    #expect(markdown.split(separator: "\n").count { $0.hasPrefix("| interval icon") } == 200)
    #expect(markdown.contains("more metrics not shown; --format csv has all of them"))
    #expect(ComparisonFormat.csv.string(result).split(separator: "\r\n").count { $0.contains("interval/icon") } == 250)
  }

  /// Neither a failure of the launches, nor a result.
  @Test func anInterruptionIsTold() {
    for comparison in [nil, SampleResults.same.comparison] {
      var result = GateResult(comparison: comparison, launches: comparison?.head ?? [])
      #expect(!ComparisonFormat.json.string(result).contains("interrupted"))
      result.isInterrupted = true
      #expect(ComparisonFormat.text.string(result).hasPrefix("INCONCLUSIVE\n  stopped early: interrupted\n"))
      let json = ComparisonFormat.json.string(result)
      #expect(json.contains("\"status\": \"inconclusive\",\n  \"interrupted\": true"), "\(json)")
      #expect(json.contains("\"stopped early: interrupted\""), "\(json)")
      #expect(ComparisonFormat.junit.string(result).contains("<failure message=\"stopped early: interrupted\">stopped"))
    }
  }

  /// A confidence that is shown as 100 % would be one that nobody can ask for.
  @Test func aConfidenceHasItsDigits() {
    var launches = ComparedLaunches(seed: 9)
    let (base, head) = (launches.rounds(14, side: "base"), launches.rounds(14, side: "head") { $0.database += 20_000 })
    for (confidence, digits) in [(0.99, "99"), (0.9999, "99.99"), (0.99999, "99.999"), (0.999_999_999, "99.9999999")] {
      var options = ComparisonOptions()
      options.tail = (1 - confidence) / 2
      let comparison = LaunchComparison(base: base, head: head, options: options)
      let result = GateResult(comparison: comparison, launches: comparison.head)
      let text = ComparisonFormat.text.string(result)
      #expect(text.contains("14 rounds · \(digits) % confidence"), "\(text)")
      #expect(ComparisonFormat.json.string(result).contains("\"confidence\": \(confidence),"))
      #expect(!text.contains("would not help"), "\(text)")
      #expect(text.hasPrefix("REGRESSED") || text.contains(" would probably be enough"), "\(text)")
    }
  }

  @Test func manyLibrariesAreListedOnce() {
    let names = (1...63).map { "lib\($0).so" }
    var launches = ComparedLaunches(seed: 8)
    var base = launches.rounds(12, side: "base") { $0.launcher.append(("image", SampleResults.image(["libc.so.6"]))) }
    var head = launches.rounds(12, side: "head") {
      $0.launcher.append(("image", SampleResults.image(["libc.so.6"] + names)))
    }
    // The loader maps the file behind the name that the program asks for.
    func map(_ names: [String], in launch: inout SampleLaunch) {
      for (place, name) in (["notes"] + names).enumerated() {
        launch.instant("map", at: Int64(place) + 1, category: "launchprof.library", [("path", .string("/lib/" + name))])
      }
    }
    for place in base.indices { map(["libc.so.6"], in: &base[place]) }
    for place in head.indices { map(["libc.so.6"] + names.map { $0 + ".0.2" }, in: &head[place]) }
    var options = ComparisonReportOptions()
    options.width = 120
    let text = ComparisonFormat.text.string(SampleResults.result(base, head), options: options)
    #expect(text.contains("added: lib1.so, lib2.so, lib3.so, lib4.so, lib5.so and 58 more"), "\(text)")
    #expect(!text.contains("lib6.so"), "\(text)")
    #expect(text.contains("mapped-libraries 1 → 64") && !text.contains("lib1.so.0.2"), "\(text)")
  }

  /// An opened library is also mapped. Its name was in the result four times.
  @Test func openedLibrariesAreListedOnce() {
    var launches = ComparedLaunches(seed: 8)
    func open(_ names: [String], in launch: inout SampleLaunch) {
      launch.instant("map", at: 1, category: "launchprof.library", [("path", .string("/lib/notes"))])
      for (place, name) in names.enumerated() {
        launch.interval(
          "dlopen", from: Int64(place) * 1000 + 3_000_000, to: Int64(place) * 1000 + 3_000_500,
          category: "launchprof.library", [("path", .string("/lib/" + name))])
        launch.instant(
          "map", at: Int64(place) * 1000 + 3_000_100, category: "launchprof.library",
          [("path", .string("/lib/" + name))])
      }
    }
    var (base, head) = (launches.rounds(12, side: "base"), launches.rounds(12, side: "head"))
    for place in base.indices { open([], in: &base[place]) }
    for place in head.indices { open(["libssl.so", "libz.so"], in: &head[place]) }
    var options = ComparisonReportOptions()
    options.width = 120
    let text = ComparisonFormat.text.string(SampleResults.result(base, head), options: options)
    #expect(text.contains("mapped-libraries 0 → 2, added: libssl.so, libz.so\n  opened-libraries 0 → 2\n"), "\(text)")
    #expect(text.contains("\n! mapped-libraries 0 → 2\n! opened-libraries 0 → 2\n"), "\(text)")
    #expect(text.split(separator: "libssl.so").count == 2, "\(text)")
  }

  @Test func widthAndASCIIAreKeptTo() {
    for width in [1, 60, 74, 100, 4000] {
      for ascii in [false, true] {
        var options = ComparisonReportOptions()
        (options.width, options.ascii) = (width, ascii)
        for (_, result, _) in SampleResults.all {
          let text = ComparisonFormat.text.string(result, options: options)
          #expect(text.split(separator: "\n").allSatisfy { $0.count <= min(max(width, 60), 120) }, "\(text)")
          if ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)") }
        }
      }
    }
  }

  @Test func namesCannotCommandWhatShowsThem() {
    for format in ComparisonFormat.allCases {
      let text = format.string(SampleResults.otherMachine)
      #expect(!text.unicodeScalars.contains("\u{1B}"), "\(format)")
      if format == .junit || format == .markdown || format == .html { #expect(!text.contains("<b>"), "\(format)") }
    }
  }

  @Test func csvHasAsManyFieldsInEveryRow() {
    for (name, result, _) in SampleResults.all {
      let lines = ComparisonFormat.csv.string(result).split(separator: "\r\n")
      let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
      #expect(Set(fields) == [21], "\(name)")
      #expect(lines.count > 2)
    }
  }

  @Test func onlyWhatWasAskedForIsShown() {
    var options = ComparisonReportOptions()
    (options.metrics, options.depth) = (["phase/open-database"], 0)
    let text = ComparisonFormat.text.string(SampleResults.regression, options: options)
    #expect(text.contains("phase open-database"))
    #expect(!text.contains("minor-faults") && !text.contains("What grew"))
    // The total got slower, and is not shown.
    #expect(text.contains(" more metrics not shown;") && !text.contains("did not change"), "\(text)")
  }

  /// A name of the configuration, or a path, begins no line and controls no terminal.
  @Test(arguments: [ComparisonFormat.markdown, .github, .text]) func problemsAndNotesAreOneLine(
    format: ComparisonFormat
  ) {
    var result = SampleResults.regression
    result.baselineProblem = "no\u{1B}[31m\n# baseline"
    result.notes = ["budgets\n# heading\u{202E}: no launch"]
    let text = format.string(result)
    for line in text.split(separator: "\n") {
      #expect(!line.hasPrefix("# ") && !isControlled(String(line)), "\(line.debugDescription)")
    }
    #expect(text.contains("baseline"))
  }

  @Test func namesOfScenariosFitTheText() {
    var result = SampleResults.same
    result.scenario = String(repeating: "größe ", count: 30)
    var options = ComparisonReportOptions()
    options.ascii = true
    let text = ComparisonFormat.text.string(GateSuite([result], confidence: 0.9999), options: options)
    #expect(
      text.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 && $0.utf8.allSatisfy { $0 < 0x80 } }, "\(text)")
    #expect(text.contains("99.99 % confidence"))
  }
}
