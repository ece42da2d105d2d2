// SPDX-License-Identifier: Apache-2.0

extension LaunchReason {
  /// The reason in the launch options of an application delegate; `icon` if they are empty.
  public init(_ options: LaunchOptions) {
    if let url = options.url {
      self = .url([OpenURLContext(url: url, sourceApplication: options.sourceApplication)])
    } else if let notification = options.remoteNotification {
      self = .remoteNotification(notification)
    } else if let notification = options.localNotification {
      self = .localNotification(notification)
    } else if let item = options.shortcutItem {
      self = .shortcutItem(item)
    } else if let metadata = options.cloudKitShareMetadata {
      self = .cloudKitShare(metadata)
    } else if let attribution = options.eventAttribution {
      self = .eventAttribution(attribution)
    } else if let activity = options.userActivity {
      self = .userActivity(activity)
    } else if options.location {
      self = .location
    } else if !options.newsstandDownloads.isEmpty {
      self = .newsstandDownloads(options.newsstandDownloads)
    } else if !options.bluetoothCentrals.isEmpty {
      self = .bluetoothCentrals(options.bluetoothCentrals)
    } else if !options.bluetoothPeripherals.isEmpty {
      self = .bluetoothPeripherals(options.bluetoothPeripherals)
    } else if let application = options.sourceApplication {
      self = .sourceApplication(application)
    } else if let annotation = options.annotation {
      self = .annotation(annotation)
    } else {
      self = .icon
    }
  }

  /// The reason in the connection options of a scene; `icon` if they are empty.
  public init(_ options: ConnectionOptions) {
    if !options.urlContexts.isEmpty {
      self = .url(options.urlContexts)
    } else if let response = options.notificationResponse {
      self = .notificationResponse(response)
    } else if let item = options.shortcutItem {
      self = .shortcutItem(item)
    } else if let metadata = options.cloudKitShareMetadata {
      self = .cloudKitShare(metadata)
    } else if let activity = options.userActivities.first {
      self = .userActivity(activity)
    } else if let type = options.handoffUserActivityType {
      self = .handoffUserActivity(type: type)
    } else if let application = options.sourceApplication {
      self = .sourceApplication(application)
    } else {
      self = .icon
    }
  }
}
