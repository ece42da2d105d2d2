// SPDX-License-Identifier: Apache-2.0

import Glibc
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

  private func bringBack() {
    for session in Application.shared.openSessions where session.scene == nil {
      Application.shared.requestSceneSessionActivation(session)
    }
  }

  /// As in UIKit: the program asks for a new window, for example for another document.
  @Test func aNewSceneDoesNotShowWhatAnotherOneShowed() throws {
    try leaveTwoScenes()
    let lines = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      #expect(Application.shared.connectedScenes.map(\.session.persistentIdentifier) == ["scene-1", "scene-3"])
      bringBack()
      #expect(pages.map(\.text) == ["one", "", "two"])
    }
    #expect(lines.count { $0.contains("restore") } == 2, "\(lines)")
  }

  /// A program may make a new session at each launch, and never bring an old one back.
  @Test func theOldestOfManySessionsAreDiscarded() throws {
    let scenes = (1...70).map { PropertyList(dictionaryLiteral: ("session", .string("scene-\($0)"))) }
    try DurableFile(path: directory.appending("state")).write(
      PropertyList.dictionary(["scenes": .array(scenes)]).encoded())
    for isFirst in [true, false] {
      let lines = try run { host in
        _ = host.launched()
        presentFrames(host)
        #expect(Application.shared.openSessions.map(\.persistentIdentifier) == (1...64).map { "scene-\($0)" })
      }
      let discarded = "app didDiscard scene-65 scene-66 scene-67 scene-68 scene-69 scene-70: background"
      #expect(lines.contains(discarded) == isFirst, "\(lines)")
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
      bringBack()
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
      bringBack()
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

  /// As in UIKit, also if their scenes are not connected.
  @Test func sessionsOutliveALaunch() throws {
    try leaveTwoScenes()
    func sessions() -> [SceneSession] { Application.shared.openSessions }
    _ = try run { host in
      #expect(sessions().map(\.persistentIdentifier) == ["scene-1", "scene-2"])
      #expect(sessions().allSatisfy { $0.scene == nil })
      _ = host.launched()
      Application.shared.requestSceneSessionDestruction(sessions()[0])
      // The user wants the second document only.
      Application.shared.requestSceneSessionActivation(sessions()[0])
      #expect(pages.map(\.text) == ["two"])
      Application.shared.requestSceneSessionActivation()
      #expect(sessions().map(\.persistentIdentifier) == ["scene-2", "scene-3"])
      Application.shared.requestSceneSessionDestruction(sessions()[1])
      host.terminate()
    }
    _ = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      // No identifier comes twice, not even that of a session of an earlier launch.
      #expect(sessions().map(\.persistentIdentifier) == ["scene-2", "scene-4"])
      #expect(pages.map(\.text) == ["two", ""])
    }
  }

  /// Also if the program crashes before it saves its state again.
  @Test(arguments: [false, true]) func aDestroyedSessionDoesNotComeBackAfterACrash(restores: Bool) throws {
    try leaveTwoScenes()
    let lines = try run { host in
      _ = host.launched()
      if !restores { presentFrames(host) }
      Application.shared.requestSceneSessionDestruction(Application.shared.openSessions[1])
      #expect(Application.shared.openSessions.count == 1)
    }
    #expect(lines.last == "app didDiscard scene-2: active")
    _ = try run { _ in #expect(Application.shared.openSessions.map(\.persistentIdentifier) == ["scene-1"]) }
  }

  /// A program may keep files by the identifier.
  @Test func noIdentifierComesAgainAfterAFailedLaunch() throws {
    try leaveTwoScenes()
    #expect(rename(directory.appending("state"), directory.appending("state.restoring")) == 0)
    _ = try run { host in
      _ = host.launched()
      #expect(Application.shared.openSessions.map(\.persistentIdentifier) == ["scene-3"])
    }
  }

  /// The delegate hears of them after `didFinishLaunching`, as in UIKit.
  @Test func sessionsThatAreNotRestoredAreDiscarded() throws {
    try leaveTwoScenes()
    ScriptedProgram.restoresState = false
    defer { ScriptedProgram.restoresState = true }
    let lines = try run { _ in #expect(Application.shared.openSessions.isEmpty) }
    #expect(
      lines == [
        "app willFinish: background", "app didFinish: background", "app didDiscard scene-1 scene-2: background",
      ])
    // They are gone, so the next launch does not hear of them.
    let next = try run { host in
      _ = host.launched()
      #expect(Application.shared.openSessions.map(\.persistentIdentifier) == ["scene-3"])
    }
    #expect(!next.contains { $0.contains("didDiscard") })
  }

  /// A program may have several kinds of windows.
  @Test func aSessionKeepsItsConfiguration() throws {
    func names() -> [String] { Application.shared.connectedScenes.map(\.session.configuration.name) }
    ScriptedProgram.configurations = ["document", "inspector"]
    defer { ScriptedProgram.configurations = [] }
    _ = try run { host in
      _ = host.launched()
      Application.shared.connectedScenes[0].session.configuration = SceneConfiguration(name: "inspector")
      host.terminate()
    }
    _ = try run { host in
      _ = host.launched()
      Application.shared.requestSceneSessionActivation()
      #expect(names() == ["inspector", "document"])
      host.terminate()
    }
    // A later version of the program may lack one.
    ScriptedProgram.configurations = ["page"]
    _ = try run { host in
      _ = host.launched()
      #expect(names() == ["page"])
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
