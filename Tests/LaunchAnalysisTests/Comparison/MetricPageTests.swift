// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import TestSupport
import Testing

struct MetricPageTests {
  @Test func thePageHasEveryMetric() throws {
    let page = String(decoding: try contents(PackageRoot.appending("docs/gate.md")), as: UTF8.self)
    let table = try #require(page.split(separator: "\n### ").first { $0.hasPrefix("Metrics\n") })
    let single = Metric.words.filter { $0 != "resource" && !Metric.namedGroups.contains($0) }
    let groups = Metric.namedGroups.filter { $0 != "state" }.map { $0 + "/NAME" }
    let states = ThreadState.waits.map { "state/" + $0.name }
    for metric in single + groups + states where !table.contains("`\(metric)`") {
      Issue.record("docs/gate.md does not say what `\(metric)` counts")
    }
  }
}
