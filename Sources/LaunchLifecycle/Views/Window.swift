// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// A window. Mirrors `UIWindow`.
@MainActor
open class Window {
  public private(set) weak var windowScene: WindowScene?
  public var title = ""
  public private(set) var isHidden = true
  public var isKeyWindow: Bool { Application.shared.keyWindow === self }

  public var rootViewController: ViewController? {
    didSet {
      guard oldValue !== rootViewController, !isHidden else { return }
      oldValue?.disappear()
      rootViewController?.appear()
      Application.shared.sequence?.show(self)
    }
  }

  /// Creates a window for a program without scenes.
  public init() { Application.shared.ownWindows.append(self) }

  public init(windowScene: WindowScene) {
    self.windowScene = windowScene
    title = windowScene.title
    windowScene.windows.append(self)
  }

  /// Shows the window and gives it the keyboard focus. Loads the view of the root view controller.
  public func makeKeyAndVisible() {
    Application.shared.keyWindow = self
    guard isHidden else { return }
    isHidden = false
    rootViewController?.appear()
    Application.shared.sequence?.show(self)
  }

  /// Removes the window from the screen and from the program.
  public func close() {
    if !isHidden {
      isHidden = true
      rootViewController?.disappear()
      Application.shared.sequence?.hide(self)
    }
    windowScene?.windows.removeAll { $0 === self }
    Application.shared.ownWindows.removeAll { $0 === self }
    if isKeyWindow { Application.shared.keyWindow = nil }
  }
}
#endif
