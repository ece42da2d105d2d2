// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// First uses that have a cheaper alternative: what is found of them, and that the page has the same.
struct FirstUseTests {
  private static let millisecond: Int64 = 1_000_000
  private static let format = "Foundation.DateFormatter.string(from: Foundation.Date) -> Swift.String"

  private func findings(_ fill: (inout SampleLaunch) -> Void) -> [Finding] {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * Self.millisecond,
      [("observer", .string("perf")), ("globals", .string("uprobes")), ("globals_call_cost_ns", .uint(0))])
    fill(&launch)
    let set = LaunchSet([LaunchTimeline(trace: launch.trace())])
    return set.launches[0].findings.filter { $0.id == FindingName.expensiveFirstUse }
  }

  @Test func samplesOfTheMainThreadShowIt() throws {
    func found(_ time: Int64, onMain: Bool = true, inside: [SampleLaunch.Frame] = []) -> Finding? {
      findings { launch in
        let track = onMain ? nil : launch.thread(5000, name: "worker")
        let stack: [SampleLaunch.Frame] = ["main", "app.Log.start() -> ()", SampleLaunch.Frame(Self.format)] + inside
        launch.samples(stack, from: 10 * Self.millisecond, to: (10 + time) * Self.millisecond, on: track)
      }.first
    }
    let finding = try #require(found(8))
    #expect(finding.subject == "DateFormatter" && finding.actual == 8 * Self.millisecond)
    #expect(finding.expected == 5 * Self.millisecond && finding.error == Self.millisecond)
    #expect(finding.advice.contains("date.ISO8601Format()") && !finding.advice.contains("`"))
    #expect(finding.evidence.first?.text.hasPrefix("main > app.Log.start() -> () > Foundation.DateFormatter") == true)
    #expect(found(4) == nil && found(8, onMain: false) == nil)
    // What it uses itself is its own business.
    let locale = SampleLaunch.Frame("static FoundationEssentials.Locale.current.getter : FoundationEssentials.Locale")
    #expect(
      findings { $0.samples(["main", SampleLaunch.Frame(Self.format), locale], from: 0, to: 9 * Self.millisecond) }.map(
        \.subject)
        == ["DateFormatter"])
  }

  /// A first use after `ready`, before `fullyDrawn()`, was one of the launch, and its time a part of the launch's.
  @Test func samplesAfterTheLaunchDoNotShowIt() {
    func found(before time: Int64) -> [Finding] {
      findings { launch in
        launch.mark("ready", at: 30 * Self.millisecond)
        launch.mark("fully-drawn", at: 90 * Self.millisecond)
        for (start, length) in [(10, time), (40, 20)] as [(Int64, Int64)] {
          launch.samples(
            ["main", SampleLaunch.Frame(Self.format)], from: start * Self.millisecond,
            to: (start + length) * Self.millisecond)
        }
      }
    }
    #expect(found(before: 8).map(\.actual) == [8 * Self.millisecond])
    #expect(found(before: 0).isEmpty && found(before: 1).isEmpty)
  }

  @Test func lazyGlobalsShowItToo() throws {
    let found = findings { launch in
      launch.global(
        "Foundation.NumberFormatter.defaults", image: "/opt/libFoundation.so", from: 10 * Self.millisecond,
        to: 20 * Self.millisecond, token: 1)
      launch.global(
        "Foundation.NumberFormatter.inner", image: "/opt/libFoundation.so", from: 12 * Self.millisecond,
        to: 18 * Self.millisecond, token: 2)
    }
    #expect(found.map(\.subject) == ["NumberFormatter"] && found[0].actual == 10 * Self.millisecond)
    #expect(found[0].error == nil && found[0].advice.contains("description"))
  }

  @Test func otherCodeIsNone() {
    #expect(
      FirstUse.of("app.DateFormatter.string() -> ()") == nil && FirstUse.of("Foundation.Data.init() -> ()") == nil)
    #expect(FirstUse.of(Self.format)?.thing == "`DateFormatter`")
    // A type of Foundation as a parameter.
    for function in [
      "app.search(String, options: Foundation.NSRegularExpression.Options) -> Int",
      "(extension in app):Foundation.Date.text(style: Foundation.DateFormatter.Style) -> String",
      "app.Log.(write in _31C00518A8B05C29FFB4AE27441FA88F)(Foundation.DateFormatter.Style) -> ()",
      "closure #1 (Foundation.NumberFormatter.Style) -> () in app.Log.start() -> ()",
    ] { #expect(FirstUse.of(function) == nil, "\(function)") }
    #expect(FirstUse.of("FoundationNetworking.URLSession.shared.unsafeMutableAddressor") != nil)
    let integer = "(extension in FoundationInternationalization):Swift.BinaryInteger.formatted() -> Swift.String"
    #expect(FirstUse.of(integer)?.thing == "`1234.formatted()`")
    let iso = FirstUse.of("Foundation.ISO8601DateFormatter.string(from: Foundation.Date) -> Swift.String")
    #expect(iso?.thing == "`ISO8601DateFormatter`")
  }

  /// docs/swift-at-launch.md has the table for people.
  @Test func thePageHasTheSameTable() throws {
    let page = try String(contentsOfFile: PackageRoot.appending("docs/swift-at-launch.md"), encoding: .utf8)
    let section = try #require(page.components(between: "## What to use instead\n", and: "\n## "))
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    let rows: [[String]] = lines.map { line in
      line.split(separator: "|").prefix(2).map { (cell: Substring) -> String in
        cell.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(rows == FirstUse.all.map { [$0.thing, $0.instead] })
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> Substring? {
    guard let from = firstRange(of: start)?.upperBound else { return nil }
    return self[from...].prefix(upTo: self[from...].firstRange(of: end)?.lowerBound ?? endIndex)
  }
}
