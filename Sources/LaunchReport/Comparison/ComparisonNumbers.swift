// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension Shift {
  /// The base's median plus the estimated change. The head's own median would contradict it, because the estimate of
  /// rounds is paired.
  var head: Double { base + estimate.absolute }

  /// The head for those who see whole ns and bytes: it is the base that they see plus the change that they see. Half a count may
  /// be a large part of it, so counts have decimals.
  func shownHead(_ unit: Metric.Unit) -> Double {
    unit == .count ? head : base.rounded() + estimate.absolute.rounded()
  }

  /// `shownHead` in text: an estimate can be below 0 although no metric can, if most of it went away.
  func possibleHead(_ unit: Metric.Unit) -> Double { max(0, shownHead(unit)) }
}

/// Numbers of a comparison as text.
struct ComparisonNumbers {
  let time: TimeUnit
  let isASCII: Bool

  init(_ result: GateResult, ascii: Bool) {
    let totals = [result.comparison?.total?.shift.base, result.comparison?.total?.shift.head].compactMap(\.self)
    let budgets = (result.budgets + result.summary).filter { $0.metric.unit == .nanoseconds }
    self.init(times: totals.isEmpty ? budgets.map(\.estimate) : totals, ascii: ascii)
  }

  /// - Parameter times: what is compared, ns. Their median decides the unit: a few launches may have hung.
  init(times: [Double], ascii: Bool) {
    let known = times.filter { $0.isFinite && $0 > 0 }.sorted()
    time = TimeUnit(for: known.isEmpty ? 0 : Self.whole(known[(known.count - 1) / 2]), ascii: ascii)
    isASCII = ascii
  }

  var minus: String { isASCII ? "-" : "−" }
  var ellipsis: String { isASCII ? " to " : " … " }
  var arrow: String { isASCII ? " -> " : " → " }
  var infinity: String { isASCII ? "inf" : "∞" }

  /// The estimated change in percent; at most all of the base goes away.
  func estimate(_ shift: Shift) -> String { percent(max(-1, shift.estimate.relative)) }

  /// A value in the unit of its metric. Times are in the report's unit, without its name.
  func value(_ value: Double, _ unit: Metric.Unit) -> String {
    guard value.isFinite else { return value < 0 ? minus + infinity : infinity }
    switch unit {
    case .nanoseconds: return time.number(Self.whole(value))
    case .bytes: return Self.bytes(value)
    case .count: return Self.count(value)
    }
  }

  /// `value`; for times, with the unit.
  func withUnit(_ number: Double, _ unit: Metric.Unit) -> String {
    unit == .nanoseconds && number.isFinite ? time.text(Self.whole(number)) : value(number, unit)
  }

  /// Two values next to each other: their unit is known, or each time has it.
  private func pair(_ first: Double, _ second: Double, _ unit: Metric.Unit) -> (String, String) {
    unit == .nanoseconds && first.isFinite && second.isFinite
      ? time.pair(Self.whole(first), Self.whole(second)) : (value(first, unit), value(second, unit))
  }

  /// `4.00 → 5.00 ms`.
  func change(from base: Double, to head: Double, _ unit: Metric.Unit) -> String {
    pair(base, head, unit).0 + arrow + withUnit(head, unit)
  }

  /// A budget, exactly as it was set: `400 ms`, `0.017 ms`.
  func budget(_ limit: Double, _ unit: Metric.Unit) -> String {
    unit == .nanoseconds ? time.limit(Self.whole(limit)) : value(limit, unit)
  }

  /// The interval of a value; `unknown` if the launches give no bound.
  func interval(_ lower: Double, _ upper: Double, _ unit: Metric.Unit) -> String {
    guard lower.isFinite || upper.isFinite || lower == upper else { return "unknown" }
    let ends = pair(lower, upper, unit)
    return ends.0 + ellipsis + ends.1
  }

  /// `+5.8 %`; `×12.3` for more than ten times as much, because large percentages say nothing to readers.
  func percent(_ part: Double) -> String { percent(part, scale: 1000, decimals: 1) }

  /// `+0.52 %`, for counts that do not vary.
  func finePercent(_ part: Double) -> String { percent(part, scale: 10_000, decimals: 2) }

  /// `5.8 %`, and `0.04 %` for what would be nothing: a part, not a change.
  func unsigned(_ part: Double) -> String {
    String((part < 0.0005 ? finePercent(part) : percent(part)).drop { !$0.isNumber })
  }

  private func percent(_ part: Double, scale: Double, decimals: Int) -> String {
    guard part.isFinite else { return (part < 0 ? minus : "+") + infinity }
    if part >= 10 { return factor(part + 1) }
    let units = Int64((min(abs(part), 1e9) * scale).rounded())
    let text = DecimalText.text(units, decimals: decimals) + " %"
    return units == 0 ? text : (part < 0 ? minus : "+") + text
  }

  private func factor(_ factor: Double) -> String {
    let tenths = Self.whole(factor * 10)
    let text = factor < 99.95 ? "\(tenths / 10).\(tenths % 10)" : DecimalText.grouped(Self.whole(factor))
    return (isASCII ? "x" : "×") + text
  }

  /// A difference in the unit of its metric; signed, unless it is nothing in this unit.
  func change(_ value: Double, _ unit: Metric.Unit, hasUnit: Bool = false) -> String {
    let text = hasUnit ? withUnit(abs(value), unit) : self.value(abs(value), unit)
    let isNothing = value.isFinite && !text.contains { $0.isNumber && $0 != "0" }
    return isNothing ? text : (value < 0 ? minus : "+") + text
  }

  /// The change in percent, or in its unit if the base is 0.
  func interval(_ shift: Shift, _ unit: Metric.Unit) -> String {
    let isOfNothing = shift.base == 0 || !shift.estimate.relative.isFinite
    if isOfNothing, shift.lower.absolute.isFinite, shift.upper.absolute.isFinite {
      return change(shift.lower.absolute, unit) + ellipsis + change(shift.upper.absolute, unit)
    }
    // A bound below −100 % means that the launches give no bound.
    let lower = shift.lower.relative <= -1 ? -Double.infinity : shift.lower.relative
    if !lower.isFinite, !shift.upper.relative.isFinite { return "unknown" }
    return percent(lower) + ellipsis + percent(max(-1, shift.upper.relative))
  }

  static func whole(_ value: Double) -> Int64 { Int64(max(-9e18, min(9e18, value.isNaN ? 0 : value)).rounded()) }

  /// `2.5`: medians and estimates of few may lie between two numbers.
  private static func count(_ value: Double) -> String {
    let tenths = whole(value * 10)
    let isWhole = abs(value) >= 100 || tenths % 10 == 0
    return isWhole ? DecimalText.grouped(whole(value)) : DecimalText.text(tenths, decimals: 1)
  }

  static func bytes(_ value: Double) -> String {
    if abs(value) < 1024 { return "\(whole(value)) B" }
    let (unit, scaled) = abs(value) < 1_048_576 ? ("KiB", value / 1024) : ("MiB", value / 1_048_576)
    let tenths = whole(scaled * 10)
    return "\(DecimalText.grouped(tenths / 10)).\(abs(tenths % 10)) \(unit)"
  }
}
