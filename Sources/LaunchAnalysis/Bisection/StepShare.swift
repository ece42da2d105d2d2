// SPDX-License-Identifier: Apache-2.0

/// How much of the step that was searched for a commit made. A search assumes that one commit made it all.
package enum StepShare: Equatable {
  /// Nothing says that other commits had a part in it.
  case all
  /// Other commits made the rest.
  case part
  /// Other commits made up for some of it, or all of it.
  case more

  /// Sizes scatter, and counts grow with each commit: only what is clearly less, or more, than the step counts.
  private static let margin = 1.5

  /// - Parameters:
  ///   - lower, upper: what the commit made, at least and at most, on the scale of `step`.
  ///   - step: above 0.
  package init(lower: Double, upper: Double, of step: Double) {
    self = upper * Self.margin < step ? .part : lower > step * Self.margin ? .more : .all
  }
}
