// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

@testable import LaunchReport

/// A report names a source place by file and line, however long its path is.
struct SourcePlaceTests {
  private static let style = TextStyle(hasColor: false, isASCII: false)

  private func text(_ file: String, line: Int? = 42, from folders: [String] = [], columns: Int = 40) -> String {
    SourcePlace(file: file, line: line).text(from: folders, columns: columns, style: Self.style)
  }

  @Test func whatFitsIsWhole() {
    #expect(text("/src/Templates.swift") == "/src/Templates.swift:42")
    #expect(text("/src/Templates.swift", line: nil) == "/src/Templates.swift")
    #expect(text("") == ":42")
  }

  @Test func aFileInAKnownFolderIsNamedFromThere() {
    #expect(text("/home/me/app/Sources/App.swift", from: ["/home/me/app"]) == "Sources/App.swift:42")
    #expect(text("/home/me/app/Sources/App.swift", from: ["/tmp", "/home/me/"]) == "app/Sources/App.swift:42")
    // The first folder that contains the file counts. One whose name is only a prefix does not, nor a relative one.
    #expect(text("/a/b/c.swift", from: ["/a", "/a/b"]) == "b/c.swift:42")
    #expect(text("/home/me/app2/App.swift", from: ["/home/me/app", "home"]) == "/home/me/app2/App.swift:42")
    #expect(text("/a/", from: ["/a"]) == "/a/:42")
  }

  @Test func foldersAreLeftOutInFront() {
    let folder = (0..<20).map { "/folder \($0)é" }.joined()
    let short = text(folder + "/Templates.swift")
    #expect(short == "…/folder 19é/Templates.swift:42")
    #expect(DisplayWidth.columns(short) <= 40)
    #expect(text(folder + "/Templates.swift", columns: 20) == "…/Templates.swift:42")
    #expect(text(folder + "/Templates.swift", columns: 18) == "Templates.swift:42")
    #expect(text(folder + "/Templates.swift", columns: 17) == "…mplates.swift:42")
    #expect(text("relative/and/rather/long/path/to/Templates.swift", columns: 25) == "…/to/Templates.swift:42")
    #expect(text(String(repeating: "/", count: 100_000) + "T.swift", columns: 13) == "…//T.swift:42")
  }

  @Test func controlCharactersAreEscaped() {
    #expect(text("/src/a\nb.swift") == "/src/a\\nb.swift:42")
    #expect(!text("/" + String(repeating: "\u{1B}", count: 500) + "/b.swift", columns: 20).contains("\u{1B}"))
  }

  /// A clone at a path of 160 characters that contains a space and a non-ASCII letter.
  @Test(arguments: [40, 60, 80, 120], [ReportFormat.text, .markdown]) func aReportKeepsFileAndLine(
    width: Int, format: ReportFormat
  ) {
    let folder = "/home/builder/" + String(repeating: "a long näme/", count: 12)
    let trace = SampleLaunch.unrecordedWork(in: folder + "Sources/App")
    let launches = LaunchSet([LaunchTimeline(trace: trace)])
    var options = ReportOptions()
    options.width = width
    options.findingsOnly = true
    #expect(format.string(launches, options: options).contains("/Templates.swift:42"))
    options.sourceFolders = ["/elsewhere", folder]
    #expect(format.string(launches, options: options).contains("at Sources/App/Templates.swift:42"))
  }
}
