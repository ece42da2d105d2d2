// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The content of a window. Mirrors the parts of `UIView` that a launch needs. The views of a backend derive from it.
@MainActor
open class View {
  public private(set) var subviews: [View] = []
  /// The toolkit's object for this view. nil with a backend that has no such objects.
  public var content: AnyObject?

  public init(content: AnyObject? = nil) { self.content = content }

  public func addSubview(_ view: View) { subviews.append(view) }

  /// Called before the view is shown for the first time.
  open func layoutSubviews() {}

  func layoutTree() {
    layoutSubviews()
    for view in subviews { view.layoutTree() }
  }
}
#endif
