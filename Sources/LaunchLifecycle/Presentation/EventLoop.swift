// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
internal import LaunchPlatform

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
  /// Gives the descriptor of the main actor's work; nil once the program has closed it.
  private var mainQueue: (@MainActor () -> Int32?)?

  public init() { mainQueue = { MainActorQueue.descriptor } }

  init(mainQueue: @escaping @MainActor () -> Int32?) { self.mainQueue = mainQueue }

  /// Calls `handle` whenever `descriptor` is readable or at its end. If the descriptor is closed, the loop forgets it.
  public func whenReadable(_ descriptor: Int32, _ handle: @escaping @MainActor () -> Void) {
    watches.append(Watch(descriptor, handle))
  }

  /// Its `handle` is not called any more, not even if the descriptor is readable already.
  public func forget(_ descriptor: Int32) {
    for watch in watches where watch.descriptor == descriptor { watch.isForgotten = true }
    watches.removeAll(where: \.isForgotten)
  }

  /// Runs `work` in the next turn, before the loop waits. Work that asks for the next turn each time does not keep the
  /// loop from its descriptors.
  public func perform(_ work: @escaping @MainActor () -> Void) { next.append(work) }

  /// Runs until `stop` is called, also if that was before. Work that then waits for the next turn still runs.
  public func run() {
    defer { isStopped = false }
    while true {
      // Before the turn, so that work which asks for the next turn each time does not run for ever.
      let isLastTurn = isStopped
      let work = next
      next = []
      for item in work { item() }
      if isLastTurn || (isStopped && next.isEmpty) { return }
      if !isStopped { wait(atMost: next.isEmpty ? -1 : 0) }
    }
  }

  public func stop() { isStopped = true }

  /// - Parameter limit: the longest wait, ms; -1 for none.
  private func wait(atMost limit: Int32) {
    let main = mainQueue?()
    let watched = watches + (main.map { [Watch($0) { MainActorQueue.run() }] } ?? [])
    var descriptors = watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    // After EINTR, no descriptor is ready in this turn.
    guard poll(&descriptors, nfds_t(descriptors.count), limit) > 0 else { return }
    for (descriptor, watch) in zip(descriptors, watched) where descriptor.revents != 0 && !watch.isForgotten {
      // It would be ready in every turn, for ever.
      if Int32(descriptor.revents) & POLLNVAL != 0 {
        forget(descriptor.fd)
        if descriptor.fd == main { mainQueue = nil }
      } else {
        watch.handle()
      }
    }
  }
}
#endif
