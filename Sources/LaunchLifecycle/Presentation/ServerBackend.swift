// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

/// A backend for servers, without a screen. The launch ends when the server listens and calls `Application.ready()`.
///
/// The host connects no scene, and the application stays in the background. `applicationDidBecomeActive` is not called.
///
/// The backend runs the main actor until a signal ends the program. In a server that uses swift-service-lifecycle, the
/// ServiceGroup is the host instead; see Examples/ServiceServer.
@MainActor
public final class ServerBackend: PresentationBackend {
  private let loop = EventLoop()

  public init() {}

  public var hasScreen: Bool { false }

  public func show(_ window: Window) {}

  public func run(_ host: any PresentationHost) {
    let signals = SignalEvents(SignalEvents.termination)
    defer { signals.end() }
    loop.whenReadable(signals.descriptor) { if signals.asksToEnd() { host.terminate() } }
    loop.run()
    ServiceNotification.stopping()
  }

  public func stop() { loop.stop() }

  /// The sockets that systemd passed to this process (sd_listen_fds(3)), with their names if they have any. The list is
  /// empty if systemd passed none. It ends at the first descriptor that is not open, and omits descriptors that are not
  /// sockets. Child processes do not inherit the sockets.
  public nonisolated static var activatedSockets: [(descriptor: Int32, name: String)] {
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
  private nonisolated static let firstActivated = 3
}
#endif
