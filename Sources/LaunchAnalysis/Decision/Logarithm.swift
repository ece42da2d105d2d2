// SPDX-License-Identifier: Apache-2.0

internal import RealModule

/// The natural logarithm, so that ratios become differences.
package enum Logarithm {
  package static func of(_ value: Double) -> Double { Double.log(value) }
  package static func inverse(_ value: Double) -> Double { Double.exp(value) }
}
