#if !canImport(os)
/// What a window shows. Mirrors as much of `UIView` as a launch needs; a backend's own views derive from it.
@MainActor
open class View {
  public private(set) var subviews: [View] = []
  /// The toolkit's own object, for backends that have one.
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
