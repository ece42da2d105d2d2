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
    let signals = SignalEvents(SignalEvents.termination)
    defer { signals.end() }
    if signals.descriptor >= 0 { loop.whenReadable(signals.descriptor) { host.terminate() } }
    loop.run()
    ServiceNotification.stopping()
  }

  public func stop() { loop.stop() }

  /// The sockets that systemd handed over (sd_listen_fds(3)), by name where they have names; none in any other process than
  /// the one they are for. They end where a descriptor is not open; what is no socket is left out. Children do not inherit
  /// them.
  public static var activatedSockets: [(descriptor: Int32, name: String)] {
    let evidence = LaunchEvidence.current()
    let names = evidence.activatedSocketNames
    var sockets: [(descriptor: Int32, name: String)] = []
    for place in 0..<(evidence.activatedSocketCount ?? 0) {
      let descriptor = Int32(firstActivated + place)
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { break }
      guard status.st_mode & S_IFMT == S_IFSOCK else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      sockets.append((descriptor, place < names.count ? names[place] : ""))
    }
    return sockets
  }

  /// SD_LISTEN_FDS_START
  private static let firstActivated = 3
}
#endif
