/// Why a scene is connected: each property of `UIScene.ConnectionOptions`, typed.
public struct ConnectionOptions: Sendable, Equatable {
  /// URLs and files to open, in the order in which they were given.
  public var urlContexts: [OpenURLContext] = []
  /// The id of the application that asked.
  public var sourceApplication: String?
  /// The activity that is about to be handed over from another device.
  public var handoffUserActivityType: String?
  public var userActivities: [UserActivity] = []
  public var notificationResponse: NotificationResponse?
  public var shortcutItem: ShortcutItem?
  public var cloudKitShareMetadata: CloudKitShareMetadata?

  public init() {}

  /// What the launch's options say, as a scene gets it.
  public init(_ options: LaunchOptions) {
    if let url = options.url {
      urlContexts = [OpenURLContext(url: url, sourceApplication: options.sourceApplication)]
    }
    sourceApplication = options.sourceApplication
    shortcutItem = options.shortcutItem
    cloudKitShareMetadata = options.cloudKitShareMetadata
    if options.userActivityType != nil || options.userActivityDictionary != nil {
      userActivities = [
        UserActivity(activityType: options.userActivityType ?? "", userInfo: options.userActivityDictionary ?? [:])
      ]
    }
    // A silent one was answered by nobody.
    if let notification = options.remoteNotification, notification.alert != nil {
      notificationResponse = NotificationResponse(actionIdentifier: "default", payload: notification.payload)
    } else if let notification = options.localNotification {
      notificationResponse = NotificationResponse(actionIdentifier: "default", payload: notification.userInfo)
    }
  }

  public var isEmpty: Bool { self == ConnectionOptions() }
}
