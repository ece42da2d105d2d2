// SPDX-License-Identifier: Apache-2.0

/// One measured operation: a line of the table and an entry of the JSON.
public struct Row: Codable, Sendable {
  /// How many times as much this takes as another operation of the same run.
  public struct Ratio: Codable, Sendable {
    public let to: String
    public let median: Double
    /// 95 % interval.
    public let low: Double
    public let high: Double

    public init(to: String, median: Double, interval: ClosedRange<Double>) {
      self.to = to
      self.median = median
      (low, high) = (interval.lowerBound, interval.upperBound)
    }

    /// For operations that were measured in turn: the median of the rounds' ratios.
    public init(to: String, _ values: [Double], _ others: [Double]) {
      let ratios = zip(values, others).map { $0 / $1 }
      self.init(to: to, median: Statistics.median(ratios), interval: Statistics.medianInterval(ratios))
    }
  }

  public enum Verdict: String, Codable, Sendable { case met, missed, inconclusive }

  /// The limit of a number of the row.
  public struct Target: Codable, Sendable {
    /// The `to` of a ratio, or `value`, or `bytes`.
    public let of: String
    public let atMost: Double
    public internal(set) var verdict = Verdict.inconclusive

    public init(_ of: String, atMost: Double) {
      self.of = of
      self.atMost = atMost
    }
  }

  public let section: String
  public let name: String
  public let unit: String
  public let median: Double
  /// Median absolute deviation, in `unit`.
  public let spread: Double
  /// 95 % interval of the median.
  public let low: Double
  public let high: Double
  public let repetitions: Int
  public let ratios: [Ratio]
  /// Bytes of trace that one operation writes, or the peak memory of a program.
  public let bytes: Double?
  /// CPU time of the whole process per operation, in `unit`. It includes helper threads.
  public let processCPU: Double?
  public let targets: [Target]

  public init(
    section: String, name: String, unit: String, values: [Double], ratios: [Ratio] = [], bytes: Double? = nil,
    processCPU: Double? = nil, targets: [Target] = []
  ) {
    self.section = section
    self.name = name
    self.unit = unit
    self.ratios = ratios
    self.bytes = bytes
    self.processCPU = processCPU
    median = Statistics.median(values)
    spread = Statistics.medianAbsoluteDeviation(values)
    repetitions = values.count
    let interval = Statistics.medianInterval(values)
    (low, high) = (interval.lowerBound, interval.upperBound)
    self.targets = targets.map { target in
      var target = target
      switch target.of {
      case "value": target.verdict = Self.verdict(interval.lowerBound, interval.upperBound, target.atMost)
      case "bytes": target.verdict = bytes.map { Self.verdict($0, $0, target.atMost) } ?? .inconclusive
      default:
        if let ratio = ratios.first(where: { $0.to == target.of }) {
          target.verdict = Self.verdict(ratio.low, ratio.high, target.atMost)
        }
      }
      return target
    }
  }

  private static func verdict(_ low: Double, _ high: Double, _ limit: Double) -> Verdict {
    high <= limit ? .met : low > limit ? .missed : .inconclusive
  }
}
