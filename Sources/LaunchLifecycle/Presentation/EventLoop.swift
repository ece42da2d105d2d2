#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// An event loop over poll(2), for backends that bring none: descriptors, work for the next turn, the main actor's work.
@MainActor
public final class EventLoop {
  private struct Watch {
    let descriptor: Int32
    let handle: @MainActor () -> Void
  }

  private var watches: [Watch] = []
  private var next: [@MainActor () -> Void] = []
  private var isStopped = false

  public init() {}

  /// Calls `handle` whenever `descriptor` can be read or is at its end.
  public func whenReadable(_ descriptor: Int32, _ handle: @escaping @MainActor () -> Void) {
    watches.append(Watch(descriptor: descriptor, handle: handle))
  }

  public func forget(_ descriptor: Int32) { watches.removeAll { $0.descriptor == descriptor } }

  /// Runs `work` at the next turn, before it waits for anything.
  public func perform(_ work: @escaping @MainActor () -> Void) { next.append(work) }

  /// Runs until `stop`; what was asked to run at the next turn still does.
  public func run() {
    isStopped = false
    while true {
      let work = next
      next = []
      for item in work { item() }
      guard next.isEmpty else { continue }
      if isStopped { return }
      wait()
    }
  }

  public func stop() { isStopped = true }

  private func wait() {
    let main = MainActorQueue.descriptor
    let watched = watches + (main.map { [Watch(descriptor: $0) { MainActorQueue.run() }] } ?? [])
    var descriptors = watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    // EINTR is a turn in which nothing was ready.
    guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { return }
    for (descriptor, watcher) in zip(descriptors, watched) where descriptor.revents != 0 { watcher.handle() }
  }
}
#endif
