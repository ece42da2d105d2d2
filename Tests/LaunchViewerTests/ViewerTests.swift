// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import LaunchViewer

/// The links that open viewers.
@Suite struct ViewerTests {
  private let address = "http://127.0.0.1:9001/ab/launch.pftrace"
  private let escaped = "http%3A%2F%2F127.0.0.1%3A9001%2Fab%2Flaunch.pftrace"

  @Test func linksNameTheFile() {
    #expect(
      Viewer.firefox.link(to: address, title: "a b")
        == "https://profiler.firefox.com/from-url/\(escaped)/?profileName=a%20b")
    #expect(
      Viewer.speedscope.link(to: address, title: "a&b")
        == "https://www.speedscope.app/#profileURL=\(escaped)&title=a%26b")
    #expect(Viewer.perfetto.link(to: address, title: "") == "https://ui.perfetto.dev/#!/?url=\(escaped)")
  }

  /// Thread names can contain anything. Perfetto gets them unchanged.
  @Test func commandsAreJSON() throws {
    let name = "app \"x\" \\ \n(1)"
    let link = Viewer.perfetto.link(
      to: address, title: "",
      commands: [.pinTracks(matching: PerfettoCommand.literal(name)), .sliceTrack(query: "select 1", title: "P")])
    let json = try #require(link.split(separator: "startupCommands=").last?.removingPercentEncoding)
    let commands = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(
      commands.map { $0["id"] as? String } == ["dev.perfetto.PinTracksByRegex", "dev.perfetto.AddDebugSliceTrack"])
    let expression = try #require((commands[0]["args"] as? [String])?.first)
    #expect(
      try NSRegularExpression(pattern: "^" + expression + "$").firstMatch(
        in: name, range: NSRange(name.startIndex..., in: name)) != nil)
    #expect(commands[1]["args"] as? [String] == ["select 1", "P"])
  }

  @Test func namesOfFilesNeedNoEscapes() {
    #expect(ServedFile.plain("/tmp/a b\r\n.pftrace") == "a_b__.pftrace")
    #expect(ServedFile.plain("/tmp/a b\r\né/x y.json") == "x_y.json")
    #expect(ServedFile.plain("/") == "launch")
  }
}
