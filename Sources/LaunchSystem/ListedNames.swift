// SPDX-License-Identifier: Apache-2.0

extension Collection<String> {
  /// The first ones, and how many more there are: `a, b and 3 more`.
  ///
  /// - Parameter rest: what stands for the others, instead of their number.
  package func listed(_ most: Int, rest: String? = nil) -> String {
    let left = count - most
    return prefix(most).joined(separator: ", ") + (left > 0 ? " and \(rest ?? "\(left) more")" : "")
  }
}
