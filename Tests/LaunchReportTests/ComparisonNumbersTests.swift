// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

@testable import LaunchReport

/// Numbers of comparisons as people read them.
struct ComparisonNumbersTests {
  private let numbers = ComparisonNumbers(times: [1_000_000], ascii: false)

  @Test(arguments: [
    (-0.5, "−50.0 %"), (0, "0.0 %"), (0.058, "+5.8 %"), (9.99, "+999.0 %"),
    (10, "×11.0"), (98.96, "×100"), (8_060.3, "×8,061"), (.infinity, "+∞"),
  ])
  func aChangeByMoreThanTenTimesIsAFactor(part: Double, text: String) {
    #expect(numbers.percent(part) == text)
  }

  /// Major faults of one launch of the base only had the interval `−∞ … 0.0 %`.
  @Test func anIntervalOfNothingHasTheUnit() {
    let zeros = [Double](repeating: 0, count: 6)
    #expect(numbers.interval(Shift(rounds: zeros, zeros, tail: 0.05), .count) == "0 … 0")
    let once = numbers.interval(Shift(rounds: zeros.dropLast() + [2], zeros, tail: 0.05), .count)
    #expect(once.hasSuffix(" … 0") && !once.contains("∞"), "\(once)")
  }

  /// 40 ns less were `−0.0` µs.
  @Test func whatIsRoundedToNothingHasNoSign() {
    let numbers = ComparisonNumbers(times: [100_000], ascii: false)
    #expect([-40, 0, 40].map { numbers.change($0, .nanoseconds) } == ["0.0", "0.0", "0.0"])
    #expect([-50, 50].map { numbers.change($0, .nanoseconds) } == ["−0.1", "+0.1"])
    #expect(numbers.change(-40, .nanoseconds, hasUnit: true) == "0.0 µs")
    #expect(numbers.change(-.infinity, .nanoseconds) == "−∞")
  }

  /// 2.5 switches and 10.5 more were 3 and 14.
  @Test func aCountBetweenTwoNumbersHasADecimal() {
    #expect([2.5, 3, 0.04, 120.5].map { numbers.value($0, .count) } == ["2.5", "3", "0", "121"])
    let shift = Shift(rounds: [2, 3, 2, 3, 2, 3], [13, 13, 13, 13, 13, 13], tail: 0.05)
    #expect(shift.base == 2.5 && shift.possibleHead(.count) == shift.base + shift.estimate.absolute)
    #expect(shift.shownHead(.bytes) == 3 + shift.estimate.absolute.rounded())
  }

  /// The upper bound said that more than all of the base went away.
  @Test func atMostAllOfTheBaseGoesAway() {
    let times = (0..<200).map { $0 < 104 ? 1e6 : 30e6 }
    let shift = Shift(rounds: times, times.map { _ in 0 }, tail: 0.05)
    #expect(shift.upper.relative < -2)
    #expect(numbers.interval(shift, .nanoseconds) == "−∞ … −100.0 %")
  }

  /// It was `.0 %`.
  @Test func aSmallPartIsNotCutOff() {
    #expect([0.058, 0.0004, 0].map(numbers.unsigned) == ["5.8 %", "0.04 %", "0.00 %"])
  }

  /// Launches of 4 ms were 0.004 s, because some hung.
  @Test func theUnitIsThatOfMostTimes() {
    let numbers = ComparisonNumbers(times: [150e9, 4_210_000, .infinity, 0, 5e6], ascii: false)
    #expect([4_210_000, 150e9].map { numbers.value($0, .nanoseconds) } == ["4.21", "150 s"])
    #expect(numbers.interval(4_000_000, 5_000_000, .nanoseconds) == "4.00 … 5.00")
    #expect(numbers.interval(4_000_000, 150e9, .nanoseconds) == "4.00 ms … 150 s")
    #expect(numbers.change(from: 4_000_000, to: 5_000_000, .nanoseconds) == "4.00 → 5.00 ms")
    #expect(numbers.change(from: 4_000_000, to: 150e9, .nanoseconds) == "4.00 ms → 150 s")
    #expect(numbers.change(150e9, .nanoseconds, hasUnit: true) == "+150 s")
  }

  @Test func anASCIIFactorHasNoSign() {
    #expect(ComparisonNumbers(times: [1_000_000], ascii: true).percent(8_060.3) == "x8,061")
  }

  /// "commits of this history differ by up to 414.323661895236 %".
  @Test(arguments: [(4.14323661895236, "414 %"), (0.0367123, "3.7 %"), (0.2, "20 %"), (0, "0 %")])
  func aMeasuredShareIsRounded(share: Double, text: String) {
    #expect(DecimalText.percent(measured: share) == text)
  }

  @Test(arguments: [
    (0, "0 commits", "0 launches"), (1, "1 commit", "1 launch"), (1_234, "1,234 commits", "1,234 launches"),
  ])
  func oneIsNotMany(count: Int, commits: String, launches: String) {
    #expect(DecimalText.counted(count, "commit") == commits && DecimalText.counted(count, "launch") == launches)
    #expect(DecimalText.counted(count, "is", "are").hasSuffix(count == 1 ? " is" : " are"))
  }
}
