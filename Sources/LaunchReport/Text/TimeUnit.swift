// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The unit of a report's times, and their number of decimals.
struct TimeUnit: Equatable {
  let symbol: String
  /// Size of the unit in ns.
  private let size: Int64
  private let decimals: Int

  /// Chosen so that a usual time of the report has about four significant digits.
  ///
  /// - Parameter time: such a time, ns. A much longer one has its own unit, because it must not make the others 0.
  init(for time: Int64, ascii: Bool) {
    switch time {
    case ..<1_000_000: (symbol, size, decimals) = (ascii ? "us" : "µs", 1000, 1)
    case ..<1_000_000_000: (symbol, size, decimals) = ("ms", 1_000_000, 2)
    case ..<100_000_000_000: (symbol, size, decimals) = ("ms", 1_000_000, 1)
    default: (symbol, size, decimals) = ("s", 1_000_000_000, 3)
    }
  }

  /// Whole numbers, such as samples or cycles.
  init(counting symbol: String) { (self.symbol, size, decimals) = (symbol, 1, 0) }

  /// The unit of a time that would have more than five digits before the point; nil for all others.
  private func own(_ nanoseconds: Int64) -> TimeUnit? {
    let isTime = size > 1 && size < 1_000_000_000
    guard isTime, nanoseconds.magnitude / UInt64(size) >= 100_000 else { return nil }
    return TimeUnit(for: Int64(clamping: nanoseconds.magnitude), ascii: symbol == "us")
  }

  /// Whether a time is in this unit, not in its own.
  func fits(_ nanoseconds: Int64) -> Bool { own(nanoseconds) == nil }

  /// The number alone, for where the unit is known. A much longer time has its unit: `150 s`.
  func number(_ nanoseconds: Int64) -> String {
    own(nanoseconds)?.briefText(nanoseconds) ?? number(nanoseconds, decimals: decimals)
  }

  /// The number and the unit.
  func text(_ nanoseconds: Int64) -> String {
    own(nanoseconds)?.briefText(nanoseconds) ?? number(nanoseconds, decimals: decimals) + " " + symbol
  }

  /// Two numbers next to each other. If one of them has its own unit, the other one has its unit, too.
  func pair(_ first: Int64, _ second: Int64) -> (String, String) {
    fits(first) && fits(second) ? (number(first), number(second)) : (text(first), text(second))
  }

  /// The shortest exact form, for budgets and ticks: `16 ms`, `0.5 ms`.
  func short(_ nanoseconds: Int64) -> String {
    let decimals = String(size).count - 1
    return DecimalText.trimmed(units(nanoseconds, decimals: decimals), decimals: decimals)
  }

  /// A given time, such as a budget, with its unit. It uses this unit unless the number would be hard to read.
  func limit(_ nanoseconds: Int64) -> String {
    let number = short(nanoseconds)
    guard number.prefix(while: { $0 != "." }).count > 4 else { return number + " " + symbol }
    let unit = TimeUnit(for: nanoseconds, ascii: symbol == "us")
    return unit.short(nanoseconds) + " " + unit.symbol
  }

  /// As exact as the report's other numbers, without zeros at the end. It is never rounded to 0.
  func brief(_ nanoseconds: Int64) -> String {
    if let own = own(nanoseconds) { return own.briefText(nanoseconds) }
    let units = units(nanoseconds, decimals: decimals)
    return nanoseconds != 0 && units == 0 ? short(nanoseconds) : DecimalText.trimmed(units, decimals: decimals)
  }

  /// `brief`, and the unit.
  func briefText(_ nanoseconds: Int64) -> String { brief(nanoseconds) + (fits(nanoseconds) ? " " + symbol : "") }

  /// For times that are small compared with a launch, such as error bounds and costs. It is never rounded to 0.
  func small(_ nanoseconds: Int64) -> String {
    let least: Int64 = size == 1000 ? 100 : max(1, size / 1000)
    let text = number(max(nanoseconds, least), decimals: size == 1000 ? 1 : 3)
    return (nanoseconds > 0 && nanoseconds < least ? "under " : "") + text + " " + symbol
  }

  private func number(_ nanoseconds: Int64, decimals: Int) -> String {
    DecimalText.text(units(nanoseconds, decimals: decimals), decimals: decimals)
  }

  /// The time in units of the last decimal, rounded.
  private func units(_ nanoseconds: Int64, decimals: Int) -> Int64 {
    var step = size
    for _ in 0..<decimals { step /= 10 }
    let step64 = UInt64(max(1, step))
    let (quotient, remainder) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: step64)
    return Int64(clamping: quotient + (remainder >= step64 - remainder ? 1 : 0)) * (nanoseconds < 0 ? -1 : 1)
  }
}
