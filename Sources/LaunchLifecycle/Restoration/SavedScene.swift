// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// The state of a scene, from one launch to the next.
@MainActor
struct SavedScene {
  /// What the scene was doing; nil to restore nothing.
  var activity: UserActivity?
  /// The state of the root controllers of its windows, by restoration identifier. Two scenes may have controllers with the
  /// same identifier.
  var controllers: [String: StateCoder]

  init(activity: UserActivity? = nil, controllers: [String: StateCoder] = [:]) {
    (self.activity, self.controllers) = (activity, controllers)
  }

  /// A state that an earlier version saved has the controllers of all scenes in one place, and none here.
  init(_ value: PropertyList) {
    activity = UserActivity(value)
    controllers = (value[Self.controllersKey]?.dictionary ?? [:]).compactMapValues {
      $0.dictionary.map { StateCoder($0) }
    }
  }

  /// The activity's entries, so that an earlier version can read them.
  var propertyList: PropertyList {
    var entries = activity?.propertyList.dictionary ?? [:]
    if !controllers.isEmpty {
      entries[Self.controllersKey] = .dictionary(controllers.mapValues { .dictionary($0.values) })
    }
    return .dictionary(entries)
  }

  private static let controllersKey = "controllers"
}
#endif
