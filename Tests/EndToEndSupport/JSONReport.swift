// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The first launch of `launchprof report --format json`.
package struct JSONReport {
  package let launch: [String: Any]

  package init(_ launchprof: Launchprof, _ trace: String) throws {
    let run = try launchprof.run(["report", "--format", "json", trace])
    #expect(run.succeeded, "\(run.errorText)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    launch = try #require((object?["launches"] as? [[String: Any]])?.first)
  }

  package var end: String { launch["end"] as? String ?? "" }
  package var isComplete: Bool { launch["complete"] as? Bool ?? false }
  /// ns.
  package var total: Int { launch["total"] as? Int ?? 0 }
  package var outcome: String { (launch["outcome"] as? [String: Any])?["kind"] as? String ?? "" }
  package var readyRule: String { (launch["readyRule"] as? [String: Any])?["name"] as? String ?? "" }
  package var isReadyByDefault: Bool { (launch["readyRule"] as? [String: Any])?["default"] as? Bool ?? false }

  /// Records of the observer that found no room.
  package var lostRecords: Int { (launch["observation"] as? [String: Any])?["lostRecords"] as? Int ?? 0 }

  package var kind: String? { label("kind") }
  package func label(_ key: String) -> String? { (launch["labels"] as? [String: Any])?[key] as? String }
  /// The other metadata, by key.
  package var otherLabels: [String: String] {
    (launch["labels"] as? [String: Any])?["other"] as? [String: String] ?? [:]
  }
  package func process(_ key: String) -> Int { (launch["process"] as? [String: Any])?[key] as? Int ?? 0 }
  package var eviction: [String: Any]? { launch["eviction"] as? [String: Any] }
  /// Files that partly stayed in memory: bytes by path.
  package var keptFiles: [String: Int] {
    let kept = eviction?["kept"] as? [[String: Any]] ?? []
    return Dictionary(
      kept.map { ($0["path"] as? String ?? "", $0["residentBytes"] as? Int ?? 0) }, uniquingKeysWith: { $1 })
  }

  package func milestone(_ id: String) -> [String: Any]? { list("milestones").first { $0["id"] as? String == id } }
  /// ns after the start.
  package func time(_ id: String) -> Int? { milestone(id)?["time"] as? Int }
  package func detail(_ id: String) -> String? { milestone(id)?["detail"] as? String }
  package func list(_ key: String) -> [[String: Any]] { launch[key] as? [[String: Any]] ?? [] }
  package func finding(_ id: String) -> [String: Any]? { list("findings").first { $0["id"] as? String == id } }
}
