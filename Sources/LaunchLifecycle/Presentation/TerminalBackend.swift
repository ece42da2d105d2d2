// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// Shows a full-screen program in a terminal. The first frame is the first paint.
///
/// The backend restores the terminal when the program ends, also by `exit()`, and on SIGTERM, SIGINT and SIGHUP. It also
/// does so when the user stops the program (Ctrl-Z or SIGTSTP), which is then in the background. It paints again when the
/// program continues (SIGCONT), and when the window's size changes (SIGWINCH). Ctrl-C ends the program. `q` ends it, too,
/// unless the view handles that key, or keys that came with it.
@MainActor
public final class TerminalBackend: PresentationBackend {
  private static let controlC: UInt8 = 3
  private static let controlZ: UInt8 = 26
  private static let escape: UInt8 = 27

  private let loop = EventLoop()
  private var screen: TerminalScreen?
  private var signals: SignalEvents?
  private weak var host: (any PresentationHost)?
  private weak var window: Window?
  private var isPainting = false
  private var hasToldOfView = false

  public init() {}

  /// - Throws: `LifecycleError` (`noTerminal`) if standard input or output is not a terminal.
  public func start(_ host: any PresentationHost) throws -> PresentationStart {
    screen = try TerminalScreen()
    self.host = host
    return .continue
  }

  public func show(_ window: Window) {
    self.window = window
    setNeedsDisplay()
  }

  public func hide(_ window: Window) { if self.window === window { self.window = nil } }

  /// Paints again in the next turn of the loop.
  public func setNeedsDisplay() {
    guard !isPainting else { return }
    isPainting = true
    loop.perform { [weak self] in self?.paint() }
  }

  public func run(_ host: any PresentationHost) {
    guard screen != nil else { return }
    let signals = SignalEvents(SignalEvents.termination + [SIGWINCH, SIGTSTP, SIGCONT])
    self.signals = signals
    screen?.takeOver()
    defer {
      TerminalScreen.giveBack()
      signals.end()
    }
    loop.whenReadable(signals.descriptor) { [weak self] in self?.handle(signals.arrived()) }
    loop.whenReadable(STDIN_FILENO) { [weak self] in self?.readKeys() }
    host.connect(nil)
    loop.run()
  }

  public func stop() { loop.stop() }

  private func paint() {
    isPainting = false
    guard let screen, let window else { return }
    guard let view = window.rootViewController?.view as? TerminalView else { return tellOfView(in: window) }
    let size = screen.size
    screen.paint(Array(view.draw(columns: size.columns, rows: size.rows).prefix(size.rows)))
    host?.framePresented(PresentedFrame(), in: window)
  }

  /// The screen stays as it is, and there is no first frame.
  private func tellOfView(in window: Window) {
    guard !hasToldOfView else { return }
    hasToldOfView = true
    let reason =
      window.rootViewController == nil
      ? "the window has no root view controller" : "the view of the root view controller is not a TerminalView"
    tellOnStandardError("TerminalBackend shows nothing, because \(reason)", host?.arguments ?? [])
  }

  private func readKeys() {
    guard let keys = screen?.read() else { return }
    let typed = Array(keys.prefix { $0 != Self.controlC && $0 != Self.controlZ })
    if !typed.isEmpty { press(typed) }
    // Keys after Ctrl-C and Ctrl-Z are dropped, as by a terminal that handles these two itself.
    switch keys.dropFirst(typed.count).first {
    case Self.controlC: host?.terminate()
    case Self.controlZ: suspend(0)
    // The terminal is gone.
    default: if keys.isEmpty { host?.terminate() }
    }
  }

  private func press(_ keys: [UInt8]) {
    let view = window?.rootViewController?.viewIfLoaded as? TerminalView
    if view?.keysPressed(keys) == true { return setNeedsDisplay() }
    // The sequence of another key may contain a q.
    if keys.contains(UInt8(ascii: "q")), !keys.contains(Self.escape) { host?.terminate() }
  }

  private func handle(_ arrived: Set<Int32>) {
    if !arrived.isDisjoint(with: SignalEvents.termination) { return host?.terminate() ?? () }
    if arrived.contains(SIGTSTP) {
      suspend(getpid())
    } else if arrived.contains(SIGCONT) {
      // A signal that cannot be handled stopped it, and another program used the terminal in that time.
      screen?.takeOver()
      setNeedsDisplay()
    } else if arrived.contains(SIGWINCH) {
      setNeedsDisplay()
    }
  }

  /// Restores the terminal and stops the program. Returns when the program is continued.
  ///
  /// - Parameter target: as for kill(2): this process, or 0 for the whole job. The terminal itself would stop the job.
  private func suspend(_ target: pid_t) {
    host?.resignActive()
    host?.enterBackground()
    TerminalScreen.giveBack()
    signals?.withDefaultAction(of: SIGTSTP) { kill(target, SIGTSTP) }
    // Before it takes the screen: in the background, that would stop it again.
    if signals?.asksToEnd() == true { return host?.terminate() ?? () }
    screen?.takeOver()
    host?.enterForeground()
    host?.becomeActive()
    setNeedsDisplay()
  }
}

/// A view of characters.
@MainActor
open class TerminalView: View {
  /// Returns the rows to show, from the top. A row may contain SGR sequences, and should not be wider than `columns`.
  open func draw(columns: Int, rows: Int) -> [String] { [] }

  /// Handles keys. Gets the bytes that the terminal sends. Return true if the view used them, to paint it again.
  open func keysPressed(_ keys: [UInt8]) -> Bool { false }
}
#endif
