// SPDX-License-Identifier: Apache-2.0

import CGTK
import LaunchLifecycle

/// The window, and which file is open in it.
final class PagesScene: SceneDelegate {
  var window: Window?
  private let controller = PageController()

  init() {}

  func scene(_ scene: WindowScene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    scene.title = "Pages"
    if let context = options.urlContexts.first { controller.url = context.url }
    let window = Window(windowScene: scene)
    window.rootViewController = controller
    window.makeKeyAndVisible()
    self.window = window
  }

  func scene(_ scene: WindowScene, openURLContexts contexts: Set<OpenURLContext>) {
    Pages.signposter.emitEvent("open page")
    controller.url = contexts.first?.url
  }

  func stateRestorationActivity(for scene: WindowScene) -> UserActivity? {
    controller.url.map { UserActivity(activityType: "org.example.pages.reading", userInfo: ["url": .string($0)]) }
  }

  func scene(_ scene: WindowScene, restoreInteractionStateWith activity: UserActivity) {
    if controller.url == nil { controller.url = activity.userInfo["url"]?.string }
  }
}

/// Shows a file, or says that there is none.
final class PageController: ViewController {
  var url: String? { didSet { showPage() } }
  private var text: UnsafeMutablePointer<GtkWidget>?

  override func loadView() {
    let scroll = gtk_scrolled_window_new()
    let text = gtk_text_view_new()
    gtk_text_view_set_editable(cast(text!), 0)
    gtk_text_view_set_wrap_mode(cast(text!), GTK_WRAP_WORD_CHAR)
    gtk_text_view_set_left_margin(cast(text!), 18)
    gtk_text_view_set_top_margin(cast(text!), 18)
    gtk_scrolled_window_set_child(OpaquePointer(scroll), text)
    self.text = text
    view = WidgetView(scroll!)
  }

  override func viewDidLoad() { showPage() }

  private func showPage() {
    guard let text else { return }
    let content = url.map { Library.text(of: $0) } ?? "Open a file: pages FILE"
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(cast(text)), content, Int32(content.utf8.count))
  }
}
