// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchProfiler

/// Creates and manages the content of a window. Mirrors `UIViewController`.
///
/// During the launch, every callback is a phase: `load-view`, `view-did-load`, `view-will-appear`, `layout`,
/// `view-did-appear`.
@MainActor
open class ViewController {
  private var loadedView: View?
  private(set) var isAppearing = false
  public private(set) var isViewAppeared = false

  /// The name under which the host keeps the controller's state; nil to keep none. Only root controllers of windows
  /// have state.
  public var restorationIdentifier: String?

  public init() {}

  /// The view. Its first use loads it.
  public var view: View {
    get {
      loadViewIfNeeded()
      return loadedView ?? View()
    }
    set { loadedView = newValue }
  }
  public var viewIfLoaded: View? { loadedView }
  public var isViewLoaded: Bool { loadedView != nil }

  /// Creates the view and assigns it to `view`.
  open func loadView() { view = View() }
  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewWillLayoutSubviews() {}
  open func viewDidLayoutSubviews() {}
  /// Called after the view's first frame has been presented.
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  open func encodeRestorableState(with coder: StateCoder) {}
  /// Called after `viewDidLoad` if there is state to restore.
  open func decodeRestorableState(with coder: StateCoder) {}

  public func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    LaunchSequence.phase(.loadView) { loadView() }
    // `loadView` assigned no view, as in the base class.
    if loadedView == nil { loadedView = View() }
    LaunchSequence.phase(.viewDidLoad) { viewDidLoad() }
    Application.shared.sequence?.restoreState(of: self)
  }

  /// Loads the view and prepares it to be shown.
  func appear() {
    guard !isAppearing else { return }
    isAppearing = true
    loadViewIfNeeded()
    LaunchSequence.phase(.viewWillAppear) { viewWillAppear(false) }
    LaunchSequence.phase(.layout) {
      viewWillLayoutSubviews()
      view.layoutTree()
      viewDidLayoutSubviews()
    }
  }

  func didAppear() {
    guard isAppearing, !isViewAppeared else { return }
    isViewAppeared = true
    LaunchSequence.phase(.viewDidAppear) { viewDidAppear(false) }
  }

  func disappear() {
    guard isAppearing else { return }
    viewWillDisappear(false)
    (isAppearing, isViewAppeared) = (false, false)
    viewDidDisappear(false)
  }
}
#endif
