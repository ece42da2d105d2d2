#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// No screen at all: a server. Its launch ends when it listens, and says so by `Application.ready()`.
///
/// Runs the main actor until a signal ends it. Of a server that is built on swift-service-lifecycle, the ServiceGroup is the
/// host, and not this: Examples/ServiceServer.
@MainActor
public final class ServerBackend: PresentationBackend {
  private let loop = EventLoop()

  public init() {}

  public var hasScreen: Bool { false }

  public func show(_ window: Window) {}

  public func run(_ host: any PresentationHost) {
    let signals = SignalNotice(.termination)
    defer { signals.end() }
    if signals.descriptor >= 0 { loop.whenReadable(signals.descriptor) { host.terminate() } }
    loop.run()
    ServiceNotification.stopping()
  }

  public func stop() { loop.stop() }

  /// The sockets that systemd handed over (sd_listen_fds(3)), by name where they have names; none in any other process than
  /// the one they are for.
  public static var activatedSockets: [(descriptor: Int32, name: String)] {
    let evidence = LaunchEvidence.current()
    guard evidence.environment["LISTEN_PID"] == "\(getpid())",
      let count = evidence.environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
    else { return [] }
    let names = (evidence.environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
    return (0..<count).map { place in
      let descriptor = 3 + place
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return (descriptor, Int(place) < names.count ? String(names[Int(place)]) : "")
    }
  }
}
#endif
