#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A full-screen program in a terminal: the first frame is its first paint.
///
/// The terminal is given back as it was at the end, when the program is stopped (Ctrl-Z or SIGTSTP: it is in the background
/// until it goes on), and on SIGTERM, SIGINT and SIGHUP. When it goes on (SIGCONT), and when the window has another size
/// (SIGWINCH), it is painted anew. Ctrl-C and, unless the view wants it, `q` end the program.
@MainActor
public final class TerminalBackend: PresentationBackend {
  private let loop = EventLoop()
  private var screen: TerminalScreen?
  private var signals: SignalEvents?
  private weak var host: (any PresentationHost)?
  private weak var window: Window?
  private var isPainting = false

  public init() {}

  /// - Throws: `LifecycleError` (`noTerminal`).
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

  /// Paints again at the next turn of the loop.
  public func setNeedsDisplay() {
    guard !isPainting else { return }
    isPainting = true
    loop.perform { [weak self] in self?.paint() }
  }

  public func run(_ host: any PresentationHost) {
    guard let screen else { return }
    let signals = SignalEvents(SignalEvents.termination + [SIGWINCH, SIGTSTP, SIGCONT])
    self.signals = signals
    screen.takeOver()
    defer {
      screen.giveBack()
      signals.end()
    }
    if signals.descriptor >= 0 {
      loop.whenReadable(signals.descriptor) { [weak self] in self?.handle(signals.arrived()) }
    }
    loop.whenReadable(STDIN_FILENO) { [weak self] in self?.readKeys() }
    host.connect(nil)
    loop.run()
  }

  public func stop() { loop.stop() }

  private func paint() {
    isPainting = false
    guard let screen, let window, let view = window.rootViewController?.view as? TerminalView else { return }
    let size = screen.size
    screen.paint(Array(view.draw(columns: size.columns, rows: size.rows).prefix(size.rows)))
    host?.framePresented(PresentedFrame(), in: window)
  }

  private func readKeys() {
    guard let screen else { return }
    let keys = screen.read()
    let view = window?.rootViewController?.viewIfLoaded as? TerminalView
    switch keys {
    // The terminal has gone.
    case [], [3]: host?.terminate()
    case [26]: suspend(0)
    case let keys where view?.keysPressed(keys) == true: setNeedsDisplay()
    case [UInt8(ascii: "q")]: host?.terminate()
    default: break
    }
  }

  private func handle(_ arrived: Set<Int32>) {
    if !arrived.isDisjoint(with: SignalEvents.termination) { return host?.terminate() ?? () }
    if arrived.contains(SIGTSTP) {
      suspend(getpid())
    } else if arrived.contains(SIGCONT) {
      // It was stopped by what cannot be handled, and somebody else had the terminal meanwhile.
      screen?.takeOver()
      setNeedsDisplay()
    } else if arrived.contains(SIGWINCH) {
      setNeedsDisplay()
    }
  }

  /// Gives the terminal back, stops, and goes on from here when the program is continued.
  ///
  /// - Parameter target: as for kill(2): this process, or 0, the whole job, as the terminal itself would have stopped it.
  private func suspend(_ target: pid_t) {
    host?.resignActive()
    host?.enterBackground()
    screen?.giveBack()
    signals?.withDefaultAction(of: SIGTSTP) { kill(target, SIGTSTP) }
    screen?.takeOver()
    if let meanwhile = signals?.arrived(), !meanwhile.isDisjoint(with: SignalEvents.termination) {
      return host?.terminate() ?? ()
    }
    host?.enterForeground()
    host?.becomeActive()
    setNeedsDisplay()
  }
}

/// A view of characters.
@MainActor
open class TerminalView: View {
  /// The rows to show, from the top; each may have SGR sequences, and should be no wider than `columns`.
  open func draw(columns: Int, rows: Int) -> [String] { [] }

  /// Keys were pressed, as the terminal sends them. True when the view took them: it is then painted again.
  open func keysPressed(_ keys: [UInt8]) -> Bool { false }
}
#endif
