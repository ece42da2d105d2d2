// SPDX-License-Identifier: Apache-2.0

extension LaunchSet {
  /// What launches can be grouped by.
  package struct Label: Sendable, Hashable {
    /// As metadata names it: `version`, or a key of the program's own.
    package let name: String

    package init(_ name: String) { self.name = name }

    /// Those that metadata knows.
    package static let known = ["reason", "context", "kind", "version", "build"].map(Label.init)
  }

  /// Launches that have a label in common.
  package struct Group: Sendable {
    /// nil if the launches have no such label.
    package let label: String?
    /// They keep the numbers that they have in the whole set. Which of them count is decided within the group.
    package let launches: LaunchSet
  }

  /// The launches by label, the largest group first.
  package func groups(by label: Label) -> [Group] {
    let members = Dictionary(grouping: launches) { $0.timeline.labels[label] }
    return members.map { Group(label: $0, launches: LaunchSet(of: $1)) }.sorted {
      ($1.launches.launches.count, $0.label ?? "") < ($0.launches.launches.count, $1.label ?? "")
    }
  }

  /// The keys of metadata that any of the launches has, beside those that all may have.
  package var ownLabels: [Label] { Set(launches.flatMap { $0.timeline.labels.other.keys }).sorted().map(Label.init) }

  /// True if any of the launches has the label.
  package func has(_ label: Label) -> Bool { launches.contains { $0.timeline.labels[label] != nil } }
}

extension Labels {
  subscript(label: LaunchSet.Label) -> String? {
    switch label.name {
    case "reason": reason
    case "context": context
    case "kind": kind
    case "version": version
    case "build": build
    case let key: other[key]
    }
  }
}
