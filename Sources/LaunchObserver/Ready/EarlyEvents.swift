// SPDX-License-Identifier: Apache-2.0

/// When sources had something to see before the thread that watches them knew the program. On a busy machine, a program writes
/// before the launcher runs again. Other programs may have written to the same place before the launch.
struct EarlyEvents {
  struct Event: Equatable {
    /// CLOCK_MONOTONIC, ns.
    var time: Int64
    /// For how long the thread had then waited for a processor, ns.
    var delay: Int64
  }

  private var events: [(source: ObjectIdentifier, event: Event)] = []
  /// Another program may write all the time. What comes last can be of this one.
  private static let most = 1_000

  func has(_ source: any ReadySource) -> Bool { events.contains { $0.source == ObjectIdentifier(source) } }

  mutating func add(_ event: Event, of source: any ReadySource) {
    if events.count == Self.most { events.removeFirst() }
    events.append((ObjectIdentifier(source), event))
  }

  /// - Parameter start: of the program, CLOCK_MONOTONIC ns. What was to see before it was not the program's.
  func first(of source: any ReadySource, since start: Int64) -> Event? {
    events.first { $0.source == ObjectIdentifier(source) && $0.event.time >= start }?.event
  }
}
