// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import TestSupport
import Testing

struct FindingGuideTests {
  /// `scripts/bless FindingGuide` writes the page again.
  @Test func thePageIsWhatTheCommandExplains() throws {
    if let difference = try Golden.difference(FindingGuide.page, "../../docs/findings.md") {
      Issue.record(Comment(rawValue: difference))
    }
  }

  /// Reads the constants of `FindingName` from its source, so that no guide can be forgotten.
  @Test func everyFindingHasItsGuide() throws {
    let source = try String(
      contentsOfFile: PackageRoot.appending("Sources/LaunchAnalysis/Findings/FindingName.swift"), encoding: .utf8)
    let lines = source.split(separator: "\n").filter { $0.contains("package static let") && $0.contains("= \"") }
    let ids = lines.compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
    #expect(ids.count > 15)
    #expect(Set(ids) == Set(FindingGuide.all.map(\.id)))
    #expect(FindingGuide.all.count == ids.count)
    for guide in FindingGuide.all {
      #expect(!guide.meaning.isEmpty && !guide.when.isEmpty && !guide.shows.isEmpty && !guide.steps.isEmpty)
      #expect(FindingGuide.named(guide.id) == guide)
    }
    #expect(FindingGuide.named("none") == nil)
  }

  /// Without quotes, this was "The words ran the most meanwhile mean …".
  @Test func wordsOfReportsAreQuoted() throws {
    let guide = try #require(FindingGuide.named("main-thread-waiting"))
    #expect(guide.text(width: 120).contains("The words 'ran the most meanwhile' mean"))
  }

  @Test func aGuideFitsTheWidth() {
    for guide in FindingGuide.all {
      let text = guide.text(width: 60)
      #expect(text.hasPrefix(guide.id + "\n"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    }
  }
}
