// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchLifecycle

/// The state of several scenes, from one launch to the next.
@MainActor struct SceneRestorationTests {
  private final class Page: ViewController {
    var text = ""

    override init() {
      super.init()
      restorationIdentifier = "page"
    }

    override func encodeRestorableState(with coder: StateCoder) { coder.encode(.string(text), forKey: "text") }
    override func decodeRestorableState(with coder: StateCoder) {
      text = coder.decode(forKey: "text")?.string ?? "nothing"
    }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ script: @escaping @MainActor (any PresentationHost) -> Void) throws -> [String] {
    let makeWindow: @MainActor () -> Void = {
      guard let scene = Application.shared.connectedScenes.last else { return }
      let window = Window(windowScene: scene)
      window.rootViewController = Page()
      window.makeKeyAndVisible()
    }
    return try ScriptedProgram.run(
      scenes: true, stateFile: directory.appending("state"), reactions: ["scene willConnect": makeWindow], script)
  }

  private var pages: [Page] { Application.shared.windows.compactMap { $0.rootViewController as? Page } }

  private func presentFrames(_ host: any PresentationHost) {
    for window in Application.shared.windows { host.framePresented(PresentedFrame(), in: window) }
  }

  private func leaveTwoScenes() throws {
    _ = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      for (page, text) in zip(pages, ["one", "two"]) { page.text = text }
      host.terminate()
    }
  }

  /// Their controllers may have the same identifier.
  @Test func eachSceneGetsItsOwnState() throws {
    try leaveTwoScenes()
    let lines = try run { host in
      _ = host.launched()
      #expect(pages.map(\.text) == ["one"])
      // The program may open its second window when the launch is over.
      presentFrames(host)
      Application.shared.requestSceneSessionActivation()
      #expect(pages.map(\.text) == ["one", "two"])
      Application.shared.requestSceneSessionActivation()
      #expect(pages.map(\.text) == ["one", "two", ""])
    }
    #expect(
      lines.filter { $0.contains("restore") } == [
        "scene restore scene-1: background", "scene restore scene-2: active",
      ])
  }

  /// A launch that opens only the first one does not lose the state of the second.
  @Test func aSceneThatIsNotOpenedKeepsItsState() throws {
    try leaveTwoScenes()
    _ = try run { host in
      _ = host.launched()
      presentFrames(host)
      pages.first?.text = "changed"
      host.terminate()
    }
    _ = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      #expect(pages.map(\.text) == ["changed", "two"])
      // It is closed for good.
      Application.shared.requestSceneSessionDestruction(Application.shared.openSessions[1])
      host.terminate()
    }
    _ = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      #expect(pages.map(\.text) == ["changed", ""])
    }
  }

  /// After the first frame, another root controller with the same identifier is new.
  @Test func stateIsRestoredOnce() throws {
    try leaveTwoScenes()
    _ = try run { host in
      _ = host.launched()
      presentFrames(host)
      Application.shared.windows.first?.rootViewController = Page()
      #expect(pages.map(\.text) == [""])
    }
  }

  /// Such a state has the controllers of all scenes in one place.
  @Test func aStateOfAnEarlierVersionIsRestored() throws {
    let value: PropertyList = [
      "application": [:], "controllers": ["page": ["text": "old"]], "scenes": [["type": "reading", "userInfo": [:]]],
    ]
    try DurableFile(path: directory.appending("state")).write(value.encoded())
    let lines = try run { host in
      _ = host.launched()
      #expect(pages.map(\.text) == ["old"])
    }
    #expect(lines.contains("scene restore reading: background"))
  }
}
