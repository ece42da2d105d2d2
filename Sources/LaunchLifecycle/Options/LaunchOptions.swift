// SPDX-License-Identifier: Apache-2.0

/// The keys of the launch options. Mirrors `UIApplication.LaunchOptionsKey`. The trace contains the raw values.
public enum LaunchOptionsKey: String, Sendable, CaseIterable {
  case url
  case sourceApplication
  /// Removed in iOS 16.
  case annotation
  case remoteNotification
  /// Removed in iOS 10.
  case localNotification
  case location
  case newsstandDownloads
  case bluetoothCentrals
  case bluetoothPeripherals
  case shortcutItem
  case userActivityDictionary
  case userActivityType
  case cloudKitShareMetadata
  case eventAttribution
}

/// Why the program was launched, for its application delegate. It has each key of `UIApplication.LaunchOptionsKey` as a
/// property with a type.
///
/// If no key has a value, the user started the program by its icon. A program with scenes gets the reason in
/// `ConnectionOptions`: URLs, activities, shortcut items, and notifications with an alert.
public struct LaunchOptions: Sendable, Equatable {
  /// The URL, or the path of the file, to open.
  public var url: String?
  /// The id of the application that requested the launch.
  public var sourceApplication: String?
  public var annotation: PropertyList?
  public var remoteNotification: RemoteNotification?
  public var localNotification: LocalNotification?
  /// An event of the location service.
  public var location = false
  /// Ids of assets.
  public var newsstandDownloads: [String] = []
  /// Restoration ids.
  public var bluetoothCentrals: [String] = []
  public var bluetoothPeripherals: [String] = []
  public var shortcutItem: ShortcutItem?
  public var userActivityDictionary: [String: PropertyList]?
  public var userActivityType: String?
  public var cloudKitShareMetadata: CloudKitShareMetadata?
  public var eventAttribution: EventAttribution?

  public init() {}

  /// The activity of the two keys; nil if neither has a value.
  var userActivity: UserActivity? {
    guard userActivityType != nil || userActivityDictionary != nil else { return nil }
    return UserActivity(activityType: userActivityType ?? "", userInfo: userActivityDictionary ?? [:])
  }

  /// The keys that have a value, in the order of their declaration.
  public var keys: [LaunchOptionsKey] { LaunchOptionsKey.allCases.filter { recorded($0) != nil } }

  public var isEmpty: Bool { self == LaunchOptions() }
}
