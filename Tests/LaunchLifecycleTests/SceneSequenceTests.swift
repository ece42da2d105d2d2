// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchLifecycle

/// Which callbacks a program with scenes gets, in which order, and which state they see: as in UIKit.
@MainActor struct SceneSequenceTests {
  @Test func aSceneInTheBackgroundOpensAURL() throws {
    let lines = try ScriptedProgram.run(scenes: true) { host in
      _ = host.launched()
      host.resignActive()
      host.enterBackground()
      host.connect(ScriptedProgram.opening("a:b"))
    }
    #expect(
      lines == [
        "app willFinish: background", "app didFinish: background", "scene willConnect unattached: background",
        "scene willEnterForeground unattached: background", "scene didBecomeActive foregroundActive: active",
        "scene willResignActive foregroundActive: active", "scene didEnterBackground background: background",
        "scene willEnterForeground background: background", "scene open foregroundInactive: inactive",
        "scene didBecomeActive foregroundActive: active",
      ])
  }

  /// Between the foreground and the active state, as in UIKit. The application gets responses to notifications.
  @Test func aConnectedSceneGetsAllForWhichANewOneWouldBeOpened() throws {
    var place = 0
    let lines = try ScriptedProgram.run(scenes: true) { host in
      _ = host.launched()
      host.resignActive()
      host.enterBackground()
      place = ScriptedProgram.lines.count
      host.connect(ScriptedProgram.everything)
    }
    let calls = lines.dropFirst(place).map { $0.prefix { $0 != ":" } }
    #expect(
      calls == [
        "scene willEnterForeground background", "scene open foregroundInactive",
        "scene willContinue read foregroundInactive", "scene continue read foregroundInactive",
        "scene perform compose foregroundInactive", "scene accept notes foregroundInactive", "app didReceive reply",
        "scene didBecomeActive foregroundActive",
      ])
  }

  @Test func withoutItsLastSceneAProgramIsInTheBackground() throws {
    let directory = try TemporaryDirectory()
    let options = ScriptedProgram.opening("a:b")
    var place = 0
    let lines = try ScriptedProgram.run(scenes: true, stateFile: directory.appending("state")) { host in
      host.connect(options)
      place = ScriptedProgram.lines.count
      Application.shared.requestSceneSessionDestruction(Application.shared.openSessions[0])
      host.resignActive()
      host.terminate()
    }
    #expect(
      lines.dropFirst(place) == [
        "scene willResignActive foregroundActive: active", "scene didEnterBackground background: background",
        "scene didDisconnect unattached: background", "app didDiscard scene-1: background", "app encode: background",
        "app willTerminate: background",
      ])
  }

  @Test func eachSessionHasAnIdentifierAndAnActivityOfItsOwn() throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("state")
    func application() -> Application { Application.shared }
    _ = try ScriptedProgram.run(scenes: true, stateFile: file) { host in
      _ = host.launched()
      application().requestSceneSessionActivation()
      host.terminate()
    }
    _ = try ScriptedProgram.run(scenes: true, stateFile: file) { host in
      _ = host.launched()
      application().requestSceneSessionActivation(application().openSessions[1])
      application().requestSceneSessionDestruction(application().openSessions[0])
      application().requestSceneSessionActivation()
      let sessions = application().openSessions
      #expect(sessions.map(\.persistentIdentifier) == ["scene-2", "scene-3"])
      #expect(sessions.map(\.stateRestorationActivity?.activityType) == ["scene-2", nil])
    }
  }

  /// The scene of the launch comes first, and its callbacks do not contain those of another scene.
  @Test(arguments: ["app didFinish", "scene willConnect", "scene didBecomeActive"])
  func aSceneThatACallbackAsksForConnectsAfterwards(callback: String) throws {
    var asks = true
    let ask: @MainActor () -> Void = {
      guard asks else { return }
      asks = false
      Application.shared.requestSceneSessionActivation(nil, options: ScriptedProgram.opening("second"))
      ScriptedProgram.note("asked")
    }
    let lines = try ScriptedProgram.run(scenes: true, reactions: [callback: ask]) { _ = $0.launched() }
    let connection = [
      "scene willConnect unattached: ", "scene willEnterForeground unattached: ",
      "scene didBecomeActive foregroundActive: active",
    ]
    let calls = lines.filter { $0.hasPrefix("scene") }
    #expect(calls.count == 6 && zip(calls, connection + connection).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    #expect(lines.count { $0.hasPrefix("asked") } == 1)
    #expect(Application.shared.connectedScenes.count == 2)
  }

  /// A person who then opens the program gets that scene, not another one.
  @Test func aProgramInTheBackgroundAsksForASceneItself() throws {
    let lines = try ScriptedProgram.run(scenes: true, options: ScriptedProgram.location) { host in
      #expect(!host.launched())
      Application.shared.requestSceneSessionActivation()
      host.connect(ScriptedProgram.opening("a:b"))
    }
    #expect(lines.count { $0.hasPrefix("scene willConnect") } == 1)
    #expect(lines.last == "scene open foregroundActive: active", "\(lines)")
  }

  /// A scene that its program disconnects in a callback gets no callback after `sceneDidDisconnect`.
  @Test(arguments: [
    "willConnect", "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground", "didDisconnect",
  ])
  func aSceneThatDisconnectsItself(callback: String) throws {
    var destroyed: SceneSession?
    var scene: WindowScene?
    let destroy: @MainActor () -> Void = {
      // Otherwise a program in which each call leads to the next one would not end.
      guard ScriptedProgram.lines.count < 20 else { return }
      destroyed = destroyed ?? Application.shared.openSessions[0]
      scene = scene ?? destroyed?.scene
      if let destroyed { Application.shared.requestSceneSessionDestruction(destroyed) }
    }
    let lines = try ScriptedProgram.run(scenes: true, reactions: ["scene \(callback)": destroy]) { host in
      _ = host.launched()
      if ["willResignActive", "didDisconnect"].contains(callback) { destroy() }
      host.resignActive()
      host.enterBackground()
      host.enterForeground()
      host.becomeActive()
    }
    let end = ["scene didDisconnect unattached: background", "app didDiscard scene-1: background"]
    #expect(Set(lines.suffix(2)) == Set(end), "\(lines)")
    #expect(lines.count { $0.contains("didDisconnect") || $0.contains("didDiscard") } == 2, "\(lines)")
    #expect(Application.shared.openSessions.isEmpty)
    #expect(Application.shared.connectedScenes.isEmpty)
    #expect(scene?.activationState == .unattached)
    #expect(destroyed?.scene == nil)
  }

  /// A program may keep the scene of a session that it has destroyed.
  @Test func aDestroyedSessionGetsANewScene() throws {
    _ = try ScriptedProgram.run(scenes: true) { host in
      _ = host.launched()
      let application = Application.shared
      let (session, old) = (application.openSessions[0], application.connectedScenes[0])
      application.requestSceneSessionDestruction(session)
      application.requestSceneSessionActivation(session)
      #expect(old.activationState == .unattached)
      #expect(application.connectedScenes.count == 1)
      #expect(application.connectedScenes.first?.activationState == .foregroundActive)
      #expect(session.scene === application.connectedScenes.first)
    }
  }
}
