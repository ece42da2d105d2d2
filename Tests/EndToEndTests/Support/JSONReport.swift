// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The first launch of `launchprof report --format json`.
struct JSONReport {
  let launch: [String: Any]

  init(_ launchprof: Launchprof, _ trace: String) throws {
    let run = try launchprof.run(["report", "--format", "json", trace])
    #expect(run.succeeded, "\(run.errorText)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    launch = try #require((object?["launches"] as? [[String: Any]])?.first)
  }

  var end: String { launch["end"] as? String ?? "" }
  var isComplete: Bool { launch["complete"] as? Bool ?? false }
  /// ns.
  var total: Int { launch["total"] as? Int ?? 0 }
  var outcome: String { (launch["outcome"] as? [String: Any])?["kind"] as? String ?? "" }
  var readyRule: String { (launch["readyRule"] as? [String: Any])?["name"] as? String ?? "" }
  var isReadyByDefault: Bool { (launch["readyRule"] as? [String: Any])?["default"] as? Bool ?? false }

  /// Records of the observer that found no room.
  var lostRecords: Int { (launch["observation"] as? [String: Any])?["lostRecords"] as? Int ?? 0 }

  var kind: String? { label("kind") }
  func label(_ key: String) -> String? { (launch["labels"] as? [String: Any])?[key] as? String }
  /// The other metadata, by key.
  var otherLabels: [String: String] {
    (launch["labels"] as? [String: Any])?["other"] as? [String: String] ?? [:]
  }
  func process(_ key: String) -> Int { (launch["process"] as? [String: Any])?[key] as? Int ?? 0 }
  var eviction: [String: Any]? { launch["eviction"] as? [String: Any] }
  /// Files that partly stayed in memory: bytes by path.
  var keptFiles: [String: Int] {
    let kept = eviction?["kept"] as? [[String: Any]] ?? []
    return Dictionary(
      kept.map { ($0["path"] as? String ?? "", $0["residentBytes"] as? Int ?? 0) }, uniquingKeysWith: { $1 })
  }

  func milestone(_ id: String) -> [String: Any]? { list("milestones").first { $0["id"] as? String == id } }
  /// ns after the start.
  func time(_ id: String) -> Int? { milestone(id)?["time"] as? Int }
  func detail(_ id: String) -> String? { milestone(id)?["detail"] as? String }
  func list(_ key: String) -> [[String: Any]] { launch[key] as? [[String: Any]] ?? [] }
  func finding(_ id: String) -> [String: Any]? { list("findings").first { $0["id"] as? String == id } }
}
