// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Measuring

@Suite struct StatisticsTests {
  @Test func medianAndDeviation() {
    #expect(Statistics.median([3, 1, 2]) == 2)
    #expect(Statistics.median([4, 1, 2, 3]) == 2.5)
    #expect(Statistics.medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]) == 1)
    #expect(Statistics.median([]).isNaN)
  }

  /// The table of the sign test gives order statistics 40 and 61 for a hundred values.
  @Test func intervalOfTheMedian() {
    let interval = Statistics.medianInterval((1...100).map(Double.init))
    #expect(interval == 41...60 || interval == 40...61)
  }

  @Test func pairedRatioFindsAScaleThroughOutliers() {
    let base = (1...41).map { 100 + Double($0 % 7) }
    var slower = base.map { $0 * 1.25 }
    slower[3] *= 50
    slower[17] /= 20
    let ratio = Statistics.pairedRatio(slower, base)
    #expect(abs(ratio.estimate - 1.25) < 1e-9)
    #expect(ratio.interval.contains(1.25))
    #expect(ratio.interval.upperBound < 1.3)
  }

  /// Hollander & Wolfe, table 3.1 (depression scale factors): the Hodges–Lehmann estimate of the differences is -0.46.
  @Test func pairedRatioAgreesWithTheTextbook() {
    let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let ratio = Statistics.pairedRatio(y.map(exponential), x.map(exponential))
    #expect(abs(logarithm(ratio.estimate) + 0.46) < 1e-9)
  }

  @Test func verdicts() {
    let values = [1.0, 1.1, 1.2, 1.1, 1.0, 1.1, 1.1]
    #expect(
      Row(section: "", name: "", unit: "ns", values: values, targets: [.init("value", atMost: 1.3)])
        .targets[0].verdict == .met)
    #expect(
      Row(section: "", name: "", unit: "ns", values: values, targets: [.init("value", atMost: 0.9)])
        .targets[0].verdict == .missed)
    #expect(
      Row(section: "", name: "", unit: "ns", values: values, targets: [.init("value", atMost: 1.1)])
        .targets[0].verdict == .inconclusive)
    #expect(
      Row(section: "", name: "", unit: "ns", values: values, bytes: 48, targets: [.init("bytes", atMost: 48)])
        .targets[0].verdict == .met)
  }
}

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
private func exponential(_ value: Double) -> Double { exp(value) }
private func logarithm(_ value: Double) -> Double { log(value) }
