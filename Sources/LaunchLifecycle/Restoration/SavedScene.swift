// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The state of a scene and its session, from one launch to the next.
@MainActor
struct SavedScene {
  /// The identifier of the session; nil in a state that an earlier version saved.
  var identifier: String?
  /// The name of the session's configuration; nil in a state that an earlier version saved.
  var configuration: String?
  /// What the scene was doing; nil to restore nothing.
  var activity: UserActivity?
  /// The state of the root controllers of its windows, by restoration identifier. Two scenes may have controllers with the
  /// same identifier.
  var controllers: [String: StateCoder]

  init(_ session: SceneSession, activity: UserActivity?, controllers: [String: StateCoder]) {
    (identifier, configuration) = (session.persistentIdentifier, session.configuration.name)
    (self.activity, self.controllers) = (activity, controllers)
  }

  /// A state that an earlier version saved has the controllers of all scenes in one place, and none here.
  init(_ value: PropertyList) {
    identifier = value[Self.identifierKey]?.string
    configuration = value[Self.configurationKey]?.string
    activity = UserActivity(value)
    controllers = (value[Self.controllersKey]?.dictionary ?? [:]).compactMapValues {
      $0.dictionary.map { StateCoder($0) }
    }
  }

  /// The activity's entries, so that an earlier version can read them.
  var propertyList: PropertyList {
    var entries = activity?.propertyList.dictionary ?? [:]
    entries[Self.identifierKey] = identifier.map(PropertyList.string)
    entries[Self.configurationKey] = configuration.map(PropertyList.string)
    if !controllers.isEmpty {
      entries[Self.controllersKey] = .dictionary(controllers.mapValues { .dictionary($0.values) })
    }
    return .dictionary(entries)
  }

  private static let identifierKey = "session"
  private static let configurationKey = "configuration"
  private static let controllersKey = "controllers"
}
#endif
