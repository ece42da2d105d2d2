// SPDX-License-Identifier: Apache-2.0

import CGTK
import LaunchLifecycle
import LaunchProfiler

/// A reader of text files in a GTK 4 window.
///
///     pages [FILE…]
///
/// With a session bus a second `pages FILE` hands its file to the first one and ends. `PAGES_UNTIL_FIRST_FRAME=1` ends it with
/// its first frame: to measure its launch. `PAGES_COMMAND_LINE=1` takes command lines as they are (`command-line`).
@main
final class Pages: ApplicationDelegate {
  static let signposter = LaunchSignposter(subsystem: "org.example.pages", category: "Launch")

  static var manifest: ApplicationManifest {
    ApplicationManifest(
      sceneConfigurations: [SceneConfiguration(delegateClass: PagesScene.self)], launchScreen: "busy pointer",
      restoresState: true)
  }

  static func makePresentationBackend() -> any PresentationBackend {
    GTKBackend(id: "org.example.Pages", handlesCommandLine: getenv("PAGES_COMMAND_LINE") != nil)
  }

  private(set) var library = Library()

  init() {}

  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions) -> Bool {
    do {
      try OneTimeSetup("library", version: "1").run { try Library.makeTemplates() }
      library = try Self.signposter.withIntervalSignpost("open library") { try Library.open() }
    } catch {
      // It can show files without a library.
      Self.signposter.emitEvent("no library", "\(error)")
    }
    LaunchProfiler.afterFirstFrame("count words", priority: .background) { [library] in library.countWords() }
    if getenv("PAGES_UNTIL_FIRST_FRAME") != nil {
      LaunchProfiler.afterFirstFrame("end") { @MainActor in Application.shared.terminate() }
    }
    return true
  }
}
