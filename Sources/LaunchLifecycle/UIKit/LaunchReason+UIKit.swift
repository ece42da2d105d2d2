// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
internal import LaunchProfiler
internal import UIKit

extension LaunchReason {
  /// Records the reason that the launch options give. In an app with scenes, the connection options give it instead.
  @MainActor
  static func record(_ options: NSDictionary?) {
    guard let options, options.count > 0 else { return }
    record(LaunchReason(LaunchOptions(options)))
  }

  @MainActor
  static func record(_ options: UIScene.ConnectionOptions?) {
    guard let options else { return }
    var found = ConnectionOptions()
    found.urlContexts = options.urlContexts.map { OpenURLContext(url: $0.url.absoluteString) }
    found.sourceApplication = options.sourceApplication
    found.handoffUserActivityType = options.handoffUserActivityType
    found.userActivities = options.userActivities.map { UserActivity(activityType: $0.activityType) }
    found.notificationResponse = options.notificationResponse.map {
      NotificationResponse(actionIdentifier: $0.actionIdentifier)
    }
    found.shortcutItem = options.shortcutItem.map { ShortcutItem(type: $0.type, localizedTitle: $0.localizedTitle) }
    found.cloudKitShareMetadata = options.cloudKitShareMetadata.map { _ in
      CloudKitShareMetadata(containerIdentifier: "")
    }
    record(LaunchReason(found))
  }

  /// Records the id and the context, but not the values.
  private static func record(_ reason: LaunchReason) {
    LaunchProfiler.metadata(reason: reason.id, context: Prewarming.isActive ? nil : reason.context.rawValue)
  }
}

extension LaunchOptions {
  /// The keys of UIKit's dictionary, with the values that determine the reason.
  init(_ options: NSDictionary) {
    self.init()
    func value(_ key: UIApplication.LaunchOptionsKey) -> Any? { options.object(forKey: key.rawValue) }
    url = (value(.url) as? URL)?.absoluteString
    sourceApplication = value(.sourceApplication) as? String
    annotation = value(.annotation).map { _ in PropertyList.dictionary([:]) }
    if let payload = value(.remoteNotification) as? [String: Any] {
      let hasAlert = (payload["aps"] as? [String: Any])?["alert"] != nil
      remoteNotification = RemoteNotification(payload: hasAlert ? ["aps": ["alert": ""]] : [:])
    }
    localNotification = value(.localNotification).map { _ in LocalNotification() }
    location = value(.location) as? Bool ?? false
    newsstandDownloads = value(.newsstandDownloads) as? [String] ?? []
    bluetoothCentrals = value(.bluetoothCentrals) as? [String] ?? []
    bluetoothPeripherals = value(.bluetoothPeripherals) as? [String] ?? []
    shortcutItem = (value(.shortcutItem) as? UIApplicationShortcutItem).map { ShortcutItem(type: $0.type) }
    userActivityDictionary = value(.userActivityDictionary).map { _ in [:] }
    userActivityType = value(.userActivityType) as? String
    cloudKitShareMetadata = value(.cloudKitShareMetadata).map { _ in CloudKitShareMetadata(containerIdentifier: "") }
    eventAttribution = (value(.eventAttribution) as? UIEventAttribution).map {
      EventAttribution(sourceIdentifier: $0.sourceIdentifier, destinationURL: $0.destinationURL.absoluteString)
    }
  }
}
#endif
