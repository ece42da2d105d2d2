internal import RealModule

/// The natural logarithm, so that ratios become differences.
enum Logarithm {
  static func of(_ value: Double) -> Double { Double.log(value) }
  static func inverse(_ value: Double) -> Double { Double.exp(value) }
}
