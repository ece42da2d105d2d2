// SPDX-License-Identifier: Apache-2.0

/// Records that the other side has refused one by one, until it is known whether it takes others.
struct Refusals<Item> {
  private(set) var items: [Item] = []
  private var reasons: [String] = []

  mutating func add(_ item: Item, _ reason: String) {
    items.append(item)
    reasons.append(reason)
  }

  /// Puts them aside, for the other side takes others. Returns their number.
  mutating func putAside(
    _ refused: (Item) throws(ShippingError) -> Void, tell: (String) -> Void
  ) throws(ShippingError) -> Int {
    defer { self = Refusals() }
    // A receiver says the same of each record of a batch.
    for (reason, count) in runs { tell("\(count == 1 ? "a record was" : "\(count) records were") refused: \(reason)") }
    try Shipper.all(items[...], refused)
    return items.count
  }

  /// Equal reasons that follow each other, and how many there are.
  private var runs: [(reason: String, count: Int)] {
    reasons.reduce(into: []) { runs, reason in
      if runs.last?.reason == reason { runs[runs.count - 1].count += 1 } else { runs.append((reason, 1)) }
    }
  }

  /// The other side has refused all that it got.
  func error(_ place: String) -> ShippingError {
    let what = items.count == 1 ? "the record" : "each of \(items.count) records"
    return ShippingError(
      .refused, place,
      "the receiver refused \(what), and took no other one: \(reasons.last ?? ""); is the address right? All records stay"
    )
  }
}
