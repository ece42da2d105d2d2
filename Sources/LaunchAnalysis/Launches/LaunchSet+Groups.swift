extension LaunchSet {
  /// What launches can be grouped by.
  public enum Label: String, Sendable, CaseIterable {
    case reason, context, kind
  }

  /// Launches that have a label in common.
  public struct Group: Sendable {
    /// nil: they say nothing.
    public let label: String?
    /// With the numbers that they have in the whole set; what counts is decided among them alone.
    public let launches: LaunchSet
  }

  /// The launches by label, the largest group first.
  public func groups(by label: Label) -> [Group] {
    let members = Dictionary(grouping: launches) { $0.timeline.labels[label] }
    return members.map { Group(label: $0, launches: LaunchSet(of: $1)) }.sorted {
      ($1.launches.launches.count, $0.label ?? "") < ($0.launches.launches.count, $1.label ?? "")
    }
  }
}

extension Labels {
  subscript(label: LaunchSet.Label) -> String? {
    switch label {
    case .reason: reason
    case .context: context
    case .kind: kind
    }
  }
}
