// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LaunchLifecycle

/// Which callbacks come, in which order, and which state they see: as in UIKit. Most of these programs have no scenes.
@MainActor struct LaunchSequenceTests {
  @Test func aProgramInTheBackgroundOpensAURL() throws {
    var place = 0
    let lines = try ScriptedProgram.run { host in
      _ = host.launched()
      host.resignActive()
      host.enterBackground()
      place = ScriptedProgram.lines.count
      host.connect(ScriptedProgram.opening("a:b"))
      host.terminate()
    }
    #expect(
      lines.prefix(place) == [
        "app willFinish: inactive", "app didFinish: inactive", "app didBecomeActive: active",
        "app willResignActive: active", "app didEnterBackground: background",
      ])
    #expect(
      lines.dropFirst(place) == [
        "app willEnterForeground: background", "app open a:b: inactive", "app didBecomeActive: active",
        "app willResignActive: active", "app didEnterBackground: background", "app willTerminate: background",
      ])
  }

  @Test func aPersonOpensAProgramThatWasLaunchedInTheBackground() throws {
    let lines = try ScriptedProgram.run(options: ScriptedProgram.location) { host in
      #expect(!host.launched())
      host.connect(ScriptedProgram.opening("a:b"))
    }
    #expect(
      lines == [
        "app willFinish location: background", "app didFinish location: background",
        "app willEnterForeground: background", "app open a:b: inactive", "app didBecomeActive: active",
      ])
  }

  /// UIKit gives no option for background fetch, and a program may have an option of its own that hides it.
  @Test func aProgramKnowsThatNoPersonWaits() throws {
    ScriptedProgram.context = .backgroundLaunch
    defer { ScriptedProgram.context = nil }
    let lines = try ScriptedProgram.run { host in
      #expect(!host.launched())
      #expect(Application.shared.launchCircumstances.context == .backgroundLaunch)
      host.connect(nil)
    }
    #expect(
      lines == [
        "app willFinish: background", "app didFinish: background", "app willEnterForeground: background",
        "app didBecomeActive: active",
      ])
    var circumstances = LaunchCircumstances(reason: .unknown, context: .prewarming)
    circumstances.learn(.userLaunch)
    #expect(circumstances.context == .prewarming)
  }

  /// The launch is over when it is ready. What a person opens later is not why the program was launched.
  @Test(arguments: [false, true]) func whatAPersonOpensLaterIsNotTheReason(hasScenes: Bool) throws {
    for isReady in [true, false] {
      _ = try ScriptedProgram.run(scenes: hasScenes, options: ScriptedProgram.location) { host in
        if isReady { #expect(!host.launched()) }
        host.connect(ScriptedProgram.opening("a:b"))
        host.connect(ScriptedProgram.opening("c:d"))
      }
      let circumstances = Application.shared.launchCircumstances
      #expect(circumstances.reason.id == (isReady ? "location" : "url"))
      #expect(circumstances.context == (isReady ? .backgroundLaunch : .userLaunch))
    }
  }

  @Test func aLaunchInTheBackgroundShowsNoWindow() throws {
    let makeWindows: @MainActor () -> Void = {
      for title in ["one", "two"] { ScriptedProgram.makeWindow(title) }
      Application.shared.windows.last?.close()
    }
    let lines = try ScriptedProgram.run(
      options: ScriptedProgram.location, reactions: ["app didFinish": makeWindows]
    ) { host in
      _ = host.launched()
      ScriptedProgram.makeWindow("later")
      host.connect(nil)
      for window in Application.shared.windows { window.close() }
    }
    #expect(
      lines.dropFirst(2) == [
        "show later: background", "show one: background", "app willEnterForeground: background",
        "app didBecomeActive: active", "hide one: active", "hide later: active",
      ])
    let asked = try ScriptedProgram.run(
      scenes: true, options: ScriptedProgram.location,
      reactions: [
        "app didFinish": { Application.shared.requestSceneSessionActivation() },
        "scene willConnect": { ScriptedProgram.makeWindow("alarm") },
      ]
    ) { host in
      _ = host.launched()
      host.terminate()
    }
    #expect(asked.contains("show alarm: background"), "\(asked)")
    #expect(asked.suffix(3).map { $0.prefix { $0 != ":" } }.last == "app willTerminate")
    #expect(asked.contains { $0.hasPrefix("scene didEnterBackground") }, "\(asked)")
  }

  @Test func aProgramPerformsTheQuickActionForWhichItWasLaunched() throws {
    var options = LaunchOptions()
    options.shortcutItem = ShortcutItem(type: "compose")
    for handles in [false, true] {
      ScriptedProgram.handlesOptions = handles
      defer { ScriptedProgram.handlesOptions = false }
      let lines = try ScriptedProgram.run(options: options) { host in _ = host.launched() }
      // A delegate that returned false has performed it.
      #expect(lines.contains("app perform compose: inactive") != handles, "\(lines)")
    }
  }

  @Test func aProgramWithoutScenesGetsEverythingLater() throws {
    var place = 0
    for isBackgroundLaunch in [false, true] {
      let options = isBackgroundLaunch ? ScriptedProgram.location : LaunchOptions()
      let lines = try ScriptedProgram.run(options: options) { host in
        if host.launched() {
          host.resignActive()
          host.enterBackground()
        }
        place = ScriptedProgram.lines.count
        host.connect(ScriptedProgram.everything)
      }
      #expect(
        lines.dropFirst(place) == [
          "app willEnterForeground: background", "app open a:b: inactive", "app perform compose: inactive",
          "app willContinue read: inactive", "app continue read: inactive", "app accept notes: inactive",
          "app didReceive reply: inactive", "app didBecomeActive: active",
        ])
    }
  }

  /// A delegate that returned false has continued the activity.
  @Test(arguments: [false, true]) func aProgramContinuesTheActivityForWhichItWasLaunched(handles: Bool) throws {
    var options = LaunchOptions()
    options.userActivityType = "read"
    options.userActivityDictionary = ["page": 1]
    options.cloudKitShareMetadata = CloudKitShareMetadata(containerIdentifier: "notes")
    ScriptedProgram.handlesOptions = handles
    defer { ScriptedProgram.handlesOptions = false }
    let lines = try ScriptedProgram.run(options: options) { host in _ = host.launched() }
    let activity = handles ? [] : ["app willContinue read: inactive", "app continue read: inactive"]
    #expect(Array(lines.dropFirst(2)) == activity + ["app accept notes: inactive", "app didBecomeActive: active"])
  }

  @Test func nothingIsPassedToAProgramThatHasEnded() throws {
    for callback in ["app open", "app perform", "app willContinue read", "scene open", "scene perform compose"] {
      let hasScenes = callback.hasPrefix("scene")
      let lines = try ScriptedProgram.run(
        scenes: hasScenes, reactions: [callback: { Application.shared.terminate() }]
      ) { host in
        _ = host.launched()
        host.connect(ScriptedProgram.everything)
      }
      #expect(lines.last == "app willTerminate: background", "\(lines)")
    }
  }

  @Test func stateIsSavedInTheBackground() throws {
    let directory = try TemporaryDirectory()
    for scenes in [false, true] {
      let lines = try ScriptedProgram.run(scenes: scenes, stateFile: directory.appending("state")) { host in
        _ = host.launched()
        host.terminate()
      }
      #expect(lines.suffix(2) == ["app encode: background", "app willTerminate: background"])
      #expect(lines.dropLast(2).last?.contains("didEnterBackground") == true)
    }
  }

  /// A delegate that ends the program in a callback gets no callback twice.
  @Test func aProgramThatEndsWhenItIsLeft() throws {
    for scenes in [false, true] {
      let owner = scenes ? "scene" : "app"
      let lines = try ScriptedProgram.run(
        scenes: scenes, reactions: ["\(owner) willResignActive": { Application.shared.terminate() }]
      ) { host in
        _ = host.launched()
        host.resignActive()
        host.enterBackground()
      }
      let calls = lines.suffix(3).map { $0.prefix { $0 != ":" }.split(separator: " ").prefix(2).joined(separator: " ") }
      #expect(calls == ["\(owner) willResignActive", "\(owner) didEnterBackground", "app willTerminate"], "\(lines)")
      #expect(Application.shared.applicationState == .background)
    }
  }

  /// Nothing is called after `applicationWillTerminate`.
  @Test(arguments: ["app willFinish", "app didFinish", "scene willConnect", "scene willEnterForeground"])
  func aProgramThatEndsDuringItsLaunch(callback: String) throws {
    let lines = try ScriptedProgram.run(
      scenes: true, reactions: [callback: { Application.shared.terminate() }]
    ) { host in
      _ = host.launched()
      host.becomeActive()
    }
    #expect(lines.last == "app willTerminate: background", "\(lines)")
    let place = try #require(lines.firstIndex { $0.hasPrefix(callback) })
    let between = lines.dropFirst(place + 1).dropLast()
    #expect(between.allSatisfy { $0.hasPrefix("scene didEnterBackground") }, "\(lines)")
  }

  @Test func aServerStaysInTheBackground() throws {
    for scenes in [false, true] {
      let lines = try ScriptedProgram.run(scenes: scenes, hasScreen: ServerBackend().hasScreen) { host in
        host.ready()
        host.terminate()
      }
      #expect(lines == ["app willFinish: background", "app didFinish: background", "app willTerminate: background"])
    }
  }

  /// The scene gets the response to a notification with an alert.
  @Test(arguments: [("alert", ""), ("content-available", " remoteNotification")])
  func aTappedNotificationIsForTheScene(content: String, keys: String) throws {
    var options = LaunchOptions()
    options.remoteNotification = RemoteNotification(payload: ["aps": .dictionary([content: "1"])])
    let lines = try ScriptedProgram.run(scenes: true, options: options) { _ in }
    #expect(lines == ["app willFinish\(keys): background", "app didFinish\(keys): background"])
    #expect(try ScriptedProgram.run(options: options) { _ in }.first?.contains("remoteNotification") == true)
  }
}
