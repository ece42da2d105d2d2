// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// A backend without a screen, for tests and batch runs. A window's frame counts as presented in the next turn of the
/// event loop.
@MainActor
public final class HeadlessBackend: PresentationBackend {
  private let loop = EventLoop()
  private let terminatesAfterLaunch: Bool
  private weak var host: (any PresentationHost)?

  /// - Parameter terminatesAfterLaunch: whether to end the program at its first frame. Use it to measure the launch.
  public init(terminatesAfterLaunch: Bool = false) { self.terminatesAfterLaunch = terminatesAfterLaunch }

  public func show(_ window: Window) {
    loop.perform { [weak self, weak window] in
      guard let self, let host, let window, !window.isHidden else { return }
      host.framePresented(PresentedFrame(), in: window)
      if terminatesAfterLaunch { loop.perform { host.terminate() } }
    }
  }

  public func run(_ host: any PresentationHost) {
    self.host = host
    let signals = SignalEvents(SignalEvents.termination)
    defer { signals.end() }
    loop.whenReadable(signals.descriptor) { if signals.asksToEnd() { host.terminate() } }
    let isShown = host.launched()
    if !isShown, terminatesAfterLaunch { loop.perform { host.terminate() } }
    loop.run()
  }

  public func stop() { loop.stop() }
}
#endif
