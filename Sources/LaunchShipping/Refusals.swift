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
    var first: ShippingError?
    for (item, reason) in zip(items, reasons) {
      tell("a record was refused: \(reason)")
      do throws(ShippingError) { try refused(item) } catch { first = first ?? error }
    }
    if let first { throw first }
    return items.count
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
