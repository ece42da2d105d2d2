// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// A measurement in the store, as JSON, so that other tools can read it.
struct StoredMeasurement {
  struct Value {
    var group: String
    var path: [String]
    var value: Double
  }

  struct Frame {
    var path: [String]
    /// ns
    var time: Int64
  }

  var name: String
  var leftOut: String?
  var end: String
  var isCPUOfLaunch: Bool
  var session: String
  var side: String?
  var round: Int
  var fields: [String: String]
  var image: ImageDescription?
  /// Earlier versions did not write it.
  var program: String?
  var arguments: [String]?
  /// Earlier versions did not write it.
  var loaded: LoadedLibraries?
  var values: [Value]
  var flame: [Frame]

  /// Smaller parts of the launch are not kept, because a plot reads the whole store.
  private static let leastShare = 0.005

  init(_ measurement: Measurement) {
    let provenance = measurement.provenance
    name = measurement.name
    leftOut = measurement.leftOut?.rawValue
    end = measurement.endMilestone
    isCPUOfLaunch = measurement.isCPUOfLaunch
    (session, side, round) = (provenance.session, provenance.side, provenance.round)
    fields = Dictionary(uniqueKeysWithValues: provenance.fields.map { ($0.key.rawValue, $0.value) })
    (image, program, arguments) = (provenance.image, provenance.program, provenance.arguments)
    loaded = measurement.loaded
    let least = (measurement.values[.total] ?? 0) * Self.leastShare
    values = measurement.values.filter { $0.key.unit != .nanoseconds || $0.value >= least }
      .sorted { $0.key.id < $1.key.id }
      .map { Value(group: $0.key.group.rawValue, path: $0.key.path, value: $0.value) }
    flame = measurement.flame.filter { Double($0.value) >= least }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { Frame(path: $0.key, time: $0.value) }
  }

  var measurement: Measurement {
    var provenance = Provenance(round: round)
    (provenance.session, provenance.side) = (session, side)
    for (name, value) in fields { if let field = Provenance.Field(rawValue: name) { provenance.fields[field] = value } }
    (provenance.image, provenance.program, provenance.arguments) = (image, program ?? "", arguments)
    var metrics: [Metric: Double] = [:]
    for value in values {
      // Metrics of a newer version are ignored.
      if let group = Metric.Group(rawValue: value.group) { metrics[Metric(group, value.path)] = value.value }
    }
    var result = Measurement(
      name: name, leftOut: leftOut.flatMap(LaunchSet.LeftOut.init), provenance: provenance, endMilestone: end,
      values: metrics, flame: Dictionary(flame.map { ($0.path, $0.time) }) { $0 + $1 }, isCPUOfLaunch: isCPUOfLaunch)
    result.loaded = loaded
    return result
  }
}
