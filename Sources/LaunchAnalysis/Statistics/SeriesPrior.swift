// SPDX-License-Identifier: Apache-2.0

/// What is known of a series before its points are seen.
package struct SeriesPrior: Sendable {
  /// The usual spread between points without a change: this part of the spread within a point, and at least `leastSpread`.
  let spreadPart: Double
  /// On the logarithmic scale, as all of these: 0.005 is 0.5 %.
  let leastSpread: Double
  /// Whether points have enough launches to estimate the error of a median from those around it. Otherwise the launches are
  /// taken as normal.
  let hasManyLaunches: Bool

  /// The points are commits, launched on one machine at different times. What slows down some launches of a commit often slows
  /// down all launches of another one.
  package static let ofCommits = SeriesPrior(spreadPart: 0.5, leastSpread: 0.005, hasManyLaunches: false)

  /// The points are launches of many machines. Launches of one point differ because machines do, which says nothing about how
  /// far points are apart.
  package static let ofFleets = SeriesPrior(spreadPart: 0, leastSpread: 0.005, hasManyLaunches: true)
}
