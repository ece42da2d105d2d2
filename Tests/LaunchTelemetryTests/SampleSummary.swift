// SPDX-License-Identifier: Apache-2.0

#if Telemetry
import Foundation
import LaunchTelemetry

/// A launch that became ready inside a phase, which went on. A span of a library was over its budget.
enum SampleSummary {
  /// - Parameter changes: texts of its JSON, and what takes their place.
  static func make(_ changes: [String: String] = [:]) throws -> LaunchSummary {
    let text = changes.reduce(json) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    return try JSONDecoder().decode(LaunchSummary.self, from: Data(text.utf8))
  }

  private static let json = """
    {
      "id": "0123456789abcdef0123456789abcdef", "isComplete": true, "hasTimedOut": false, "endMilestone": "ready",
      "totalNanoseconds": 100000000, "wallClockStartNanoseconds": 1750000000000000000,
      "processStart": 1000000000, "processStartErrorNanoseconds": 0,
      "loadNanoseconds": 20000000, "mainNanoseconds": 30000000,
      "phases": [
        {"id": "load", "startNanoseconds": 0, "durationNanoseconds": 20000000, "cpuNanoseconds": 0},
        {"id": "static-init", "startNanoseconds": 20000000, "durationNanoseconds": 10000000, "cpuNanoseconds": 0},
        {"id": "twice", "startNanoseconds": 50000000, "durationNanoseconds": 1000000, "cpuNanoseconds": 0},
        {"id": "twice", "startNanoseconds": 60000000, "durationNanoseconds": 2000000, "cpuNanoseconds": 0}
      ],
      "intervals": [],
      "milestones": [{"id": "ready", "timeNanoseconds": 100000000}],
      "overBudget": [
        {
          "kind": "interval", "name": "GET /users/alice", "category": "tracing/Store",
          "startNanoseconds": 70000000, "durationNanoseconds": 20000000, "budgetNanoseconds": 16000000
        }
      ],
      "metadata": {}, "eventsDropped": 0,
      "usage": {"cpuNanoseconds": 0, "minorFaults": 0, "majorFaults": 0, "threads": 1},
      "recorderNanoseconds": 0,
      "phaseNanoseconds": {
        "load": 20000000, "static-init": 10000000, "main": 5000000, "did-finish-launching": 65000000, "twice": 3000000
      },
      "phaseStartNanoseconds": {"load": 0, "static-init": 20000000, "main": 30000000, "did-finish-launching": 35000000}
    }
    """
}
#endif
