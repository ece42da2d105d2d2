// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
#if canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// An event loop on poll(2), for backends that have none. It handles descriptors, work for the next turn, and work of
/// the main actor.
@MainActor
public final class EventLoop {
  private final class Watch {
    let descriptor: Int32
    let handle: @MainActor () -> Void
    var isForgotten = false

    init(_ descriptor: Int32, _ handle: @escaping @MainActor () -> Void) {
      (self.descriptor, self.handle) = (descriptor, handle)
    }
  }

  private var watches: [Watch] = []
  private var next: [@MainActor () -> Void] = []
  private var isStopped = false

  public init() {}

  /// Calls `handle` whenever `descriptor` is readable or at its end.
  public func whenReadable(_ descriptor: Int32, _ handle: @escaping @MainActor () -> Void) {
    watches.append(Watch(descriptor, handle))
  }

  /// Its `handle` is not called any more, not even if the descriptor is readable already.
  public func forget(_ descriptor: Int32) {
    for watch in watches where watch.descriptor == descriptor { watch.isForgotten = true }
    watches.removeAll(where: \.isForgotten)
  }

  /// Runs `work` in the next turn, before the loop waits.
  public func perform(_ work: @escaping @MainActor () -> Void) { next.append(work) }

  /// Runs until `stop` is called, also if that was before. Work that then waits for the next turn still runs.
  public func run() {
    defer { isStopped = false }
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
    let watched = watches + (main.map { [Watch($0) { MainActorQueue.run() }] } ?? [])
    var descriptors = watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    // After EINTR, no descriptor is ready in this turn.
    guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { return }
    for (descriptor, watch) in zip(descriptors, watched) where descriptor.revents != 0 && !watch.isForgotten {
      watch.handle()
    }
  }
}
#endif
