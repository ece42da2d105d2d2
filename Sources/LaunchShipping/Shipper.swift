// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Sends records until all have arrived, or the patience ends.
///
/// A record leaves its spool only when the other side has said that it has it. So each record arrives at least once; what
/// arrives twice has the same id, and the same ids of its spans.
package struct Shipper {
  private var destination: Destination
  /// Whether the other side has taken a record.
  private var hasTaken = false
  /// What was sent and refused in all calls of `ship`, also in those that threw.
  package private(set) var total = Result()
  /// How long to try while nothing arrives.
  private let patience: Duration
  /// The first pause, seconds.
  private let firstPause: Double
  private let tell: (String) -> Void

  package struct Result: Sendable, Equatable {
    package var delivered = 0
    /// Not wanted by the other side.
    package var refused = 0
    /// They stay where they are.
    package var left = 0

    package init(delivered: Int = 0, refused: Int = 0, left: Int = 0) {
      (self.delivered, self.refused, self.left) = (delivered, refused, left)
    }
  }

  package init(
    to destination: Destination, patience: Duration, firstPause: Double = 0.5, tell: @escaping (String) -> Void
  ) { (self.destination, self.patience, self.firstPause, self.tell) = (destination, patience, firstPause, tell) }

  /// If the other side has refused this many records and taken none, the newest one is tried. If it is refused, too, the
  /// others are not tried.
  private static let mostRefusedAtFirst = 8

  /// A record that the other side does not want is put aside only when it has taken another one. If it wants none, the
  /// address is wrong, and not the records: a server that expects TLS answers any plain request with 400.
  ///
  /// - Parameters:
  ///   - line: the record of an item, as a line.
  ///   - delivered: called with each record that has arrived.
  ///   - refused: called with each record that the other side does not want, although it wants others.
  /// - Throws: `ShippingError` when nothing can be sent there, or all is refused; what has not arrived stays. What
  ///   `delivered` and `refused` throw: no more is sent then.
  package mutating func ship<Item>(
    _ items: [Item], line: (Item) -> String, delivered: (Item) throws(ShippingError) -> Void,
    refused: (Item) throws(ShippingError) -> Void
  ) throws(ShippingError) -> Result {
    var (result, refusals, hasTriedNewest) = (Result(), Refusals<Item>(), false)
    defer {
      total.delivered += result.delivered
      total.refused += result.refused
    }
    var batches = stride(from: 0, to: items.count, by: destination.batch).map { start in
      items[start..<min(start + destination.batch, items.count)]
    }[...]
    var (backoff, deadline) = (Backoff(firstPause), ContinuousClock.now + patience)
    while let batch = batches.first {
      switch destination.send(batch.map(line)) {
      case .delivered:
        // It has arrived, even if it cannot be removed.
        result.delivered += batch.count
        try Self.all(batch, delivered)
        batches.removeFirst()
        hasTaken = true
        (backoff, deadline) = (Backoff(firstPause), .now + patience)
      case .refusedInPart(let reason):
        tell("\(destination.name): \(reason)")
        try Self.all(batch, refused)
        result.refused += batch.count
        batches.removeFirst()
        hasTaken = true
        // A part has arrived.
        (backoff, deadline) = (Backoff(firstPause), .now + patience)
      case .refused(let reason) where batch.count == 1, .refusedWhole(let reason):
        for item in batch { refusals.add(item, reason) }
        batches.removeFirst()
        if hasTaken || refusals.items.count < Self.mostRefusedAtFirst { break }
        guard !hasTriedNewest, let last = batches.popLast() else { throw refusals.error(destination.name) }
        hasTriedNewest = true
        batches = [last.suffix(1)] + batches + (last.count > 1 ? [last.dropLast()] : [])
      case .unfit(let reason) where batch.count == 1:
        tell("\(destination.name): \(reason)")
        try Self.all(batch, refused)
        result.refused += 1
        batches.removeFirst()
      case .refused, .unfit:
        // One of them it is: each half is tried by itself.
        batches.removeFirst()
        let middle = batch.startIndex + batch.count / 2
        batches = [batch[..<middle], batch[middle...]] + batches
      case .later(let reason, let asked):
        let wait = Duration.seconds(min(backoff.next(asked: asked), 86_400))
        guard .now + wait < deadline else {
          let seconds = Int(min(asked ?? 0, 1e9).rounded(.up))
          let pause = seconds > 0 ? "; the receiver asks for a pause of \(seconds) s" : ""
          tell("\(destination.name): \(reason)\(pause); the records stay, ship them later")
          result.left = batches.reduce(refusals.items.count) { $0 + $1.count }
          return result
        }
        Self.sleep(wait)
      case .impossible(let error): throw error
      }
      if hasTaken { result.refused += try refusals.putAside(refused) { tell("\(destination.name): \($0)") } }
    }
    if !refusals.items.isEmpty { throw refusals.error(destination.name) }
    return result
  }

  /// Calls `body` with each item. If it throws, the others still have their turn, and the first error is thrown after that.
  static func all<Item>(
    _ items: ArraySlice<Item>, _ body: (Item) throws(ShippingError) -> Void
  ) throws(ShippingError) {
    var first: ShippingError?
    for item in items {
      do throws(ShippingError) { try body(item) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  private static func sleep(_ duration: Duration) {
    let parts = duration.components
    var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    var rest = timespec()
    while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
  }
}
