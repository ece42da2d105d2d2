// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// Why and how the program was launched, as recorded.
package struct Labels: Sendable, Equatable {
  package var reason: String?
  package var context: String?
  /// cold, warm, first, …
  package var kind: String?
  package var version: String?
  package var build: String?
  /// The launch's ID, if the program gave one: docs/launch-record.md.
  package var id: String?
  /// The program's own deadline passed before its launch was complete.
  var hasTimedOut = false
  /// All other metadata, by key.
  package var other: [String: String] = [:]

  package init(reason: String? = nil, context: String? = nil, kind: String? = nil) {
    (self.reason, self.context, self.kind) = (reason, context, kind)
  }

  /// nil also if the program could not tell.
  package var knownKind: String? { kind == LS_LAUNCH_KIND_UNCERTAIN ? nil : kind }

  /// Why the program was launched and for whom, as far as the program could tell, for people.
  package var circumstances: [String] {
    [knownKind.map { "\($0) launch" }, reason, context].compactMap(\.self)
      .filter { $0 != LS_CONTEXT_UNCERTAIN && $0 != "unknown" }
  }

  /// For what the first scene was opened, for people: `shortcutItem (type, 19 bytes)`.
  package var sceneReasons: [String] {
    other.filter { $0.key.hasPrefix(LS_KEY_CONNECTION) }.sorted { $0.key < $1.key }
      .map { "\($0.key.dropFirst(LS_KEY_CONNECTION.count)) (\($0.value))" }
  }

  /// The kinds that a text names: the launcher names several, as in `first, page-cache cold`.
  static func kinds(_ kind: String) -> Set<String> {
    Set(kind.split(separator: ",").map { String($0.drop { $0 == " " }) })
  }
}
