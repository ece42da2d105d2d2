// SPDX-License-Identifier: Apache-2.0

/// Why a scene is connected. It has each property of `UIScene.ConnectionOptions`, with a type.
public struct ConnectionOptions: Sendable, Equatable {
  /// URLs and files to open, in the order in which the program got them.
  public var urlContexts: [OpenURLContext] = []
  /// The id of the application that requested the launch.
  public var sourceApplication: String?
  /// The type of an activity that another device is about to hand over.
  public var handoffUserActivityType: String?
  public var userActivities: [UserActivity] = []
  public var notificationResponse: NotificationResponse?
  public var shortcutItem: ShortcutItem?
  public var cloudKitShareMetadata: CloudKitShareMetadata?

  public init() {}

  /// Converts the launch's options to those that a scene gets.
  public init(_ options: LaunchOptions) {
    if let url = options.url { urlContexts = [OpenURLContext(url: url, sourceApplication: options.sourceApplication)] }
    sourceApplication = options.sourceApplication
    shortcutItem = options.shortcutItem
    cloudKitShareMetadata = options.cloudKitShareMetadata
    if let activity = options.userActivity { userActivities = [activity] }
    // The user did not respond to a silent notification.
    if let notification = options.remoteNotification, notification.alert != nil {
      notificationResponse = NotificationResponse(actionIdentifier: "default", payload: notification.payload)
    } else if let notification = options.localNotification {
      notificationResponse = NotificationResponse(actionIdentifier: "default", payload: notification.userInfo)
    }
  }

  public var isEmpty: Bool { self == ConnectionOptions() }
}
