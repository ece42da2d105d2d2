// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension LaunchTimeline {
  /// What the numbers of a profile without times count, such as `samples`; nil if they are nanoseconds.
  var countedUnit: String? { trace.hasTimes || trace.sampleUnit == "ns" ? nil : largeFlame.unit }
}

extension LaunchSet {
  /// The unit of launches that all count the same; nil if their numbers are nanoseconds.
  var countedUnit: String? {
    let units = Set(launches.map(\.timeline.countedUnit))
    return units.count == 1 ? units.first ?? nil : nil
  }
}
