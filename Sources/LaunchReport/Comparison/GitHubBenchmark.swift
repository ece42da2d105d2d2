// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// What github-action-benchmark reads as `customSmallerIsBetter`: https://github.com/benchmark-action/github-action-benchmark
struct GitHubBenchmark {
  private let values: [TrackedValues.Value]

  init(_ result: GateResult) { values = TrackedValues(result).values }
  init(_ suite: GateSuite) { values = suite.results.flatMap { TrackedValues($0).values } }

  func write(to sink: any ByteSink) throws {
    var json = JSONWriter(sink, ascii: false)
    json.array { json in
      for value in values {
        json.object { json in
          json.value("name", value.name)
          json.value("unit", value.unit.rawValue)
          json.value("value", TrackedValues.whole(value.value))
          if value.lower.isFinite, value.upper.isFinite {
            json.value("range", "\(TrackedValues.whole(value.lower)) … \(TrackedValues.whole(value.upper))")
          }
        }
      }
    }
    try json.finish()
  }
}
