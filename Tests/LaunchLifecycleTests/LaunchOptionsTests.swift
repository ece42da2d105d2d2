// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle
import Testing

/// Every key of a launch's options and every connection option, as values and as reasons.
struct LaunchOptionsTests {
  private typealias Change = @Sendable (inout LaunchOptions) -> Void
  private static let payload: [String: PropertyList] = ["aps": ["alert": "Hello", "badge": 3, "sound": "ping"]]

  private static let changes: [(key: LaunchOptionsKey, reason: String, context: LaunchContext, change: Change)] = [
    (.url, "url", .userLaunch, { $0.url = "https://example.org" }),
    (.sourceApplication, "sourceApplication", .userLaunch, { $0.sourceApplication = "org.example" }),
    (.annotation, "annotation", .userLaunch, { $0.annotation = ["a": 1] }),
    (.remoteNotification, "remoteNotification", .userLaunch, { $0.remoteNotification = .init(payload: payload) }),
    (.localNotification, "localNotification", .userLaunch, { $0.localNotification = .init(alertBody: "Hello") }),
    (.location, "location", .backgroundLaunch, { $0.location = true }),
    (.newsstandDownloads, "newsstandDownloads", .backgroundLaunch, { $0.newsstandDownloads = ["asset"] }),
    (.bluetoothCentrals, "bluetoothCentrals", .backgroundLaunch, { $0.bluetoothCentrals = ["central"] }),
    (.bluetoothPeripherals, "bluetoothPeripherals", .backgroundLaunch, { $0.bluetoothPeripherals = ["peripheral"] }),
    (.shortcutItem, "shortcutItem", .userLaunch, { $0.shortcutItem = ShortcutItem(type: "compose") }),
    (.userActivityDictionary, "userActivity", .userLaunch, { $0.userActivityDictionary = ["a": 1] }),
    (.userActivityType, "userActivity", .userLaunch, { $0.userActivityType = "org.example.read" }),
    (
      .cloudKitShareMetadata, "cloudKitShare", .userLaunch,
      { $0.cloudKitShareMetadata = CloudKitShareMetadata(containerIdentifier: "c") }
    ),
    (
      .eventAttribution, "eventAttribution", .userLaunch,
      { $0.eventAttribution = EventAttribution(sourceIdentifier: 1, destinationURL: "https://example.org") }
    ),
  ]

  @Test func eachKeyIsAReason() {
    #expect(Self.changes.map(\.key) == LaunchOptionsKey.allCases)
    for (key, reason, context, change) in Self.changes {
      var options = LaunchOptions()
      change(&options)
      #expect(options.keys == [key])
      #expect(LaunchReason(options).id == reason)
      #expect(LaunchReason(options).context == context)
    }
  }

  @Test func noKeyIsTheIcon() {
    #expect(LaunchOptions().isEmpty)
    #expect(LaunchReason(LaunchOptions()) == .icon)
    #expect(LaunchReason(ConnectionOptions()) == .icon)
  }

  @Test func eachConnectionOptionIsAReason() {
    let options: [(String, @Sendable (inout ConnectionOptions) -> Void)] = [
      ("url", { $0.urlContexts = [OpenURLContext(url: "a:b")] }),
      ("sourceApplication", { $0.sourceApplication = "org.example" }),
      ("handoffUserActivity", { $0.handoffUserActivityType = "read" }),
      ("userActivity", { $0.userActivities = [UserActivity(activityType: "read")] }),
      ("notificationResponse", { $0.notificationResponse = NotificationResponse(actionIdentifier: "open") }),
      ("shortcutItem", { $0.shortcutItem = ShortcutItem(type: "compose") }),
      ("cloudKitShare", { $0.cloudKitShareMetadata = CloudKitShareMetadata(containerIdentifier: "c") }),
    ]
    for (reason, change) in options {
      var connection = ConnectionOptions()
      change(&connection)
      #expect(LaunchReason(connection).id == reason)
      #expect(!connection.isEmpty)
    }
  }

  @Test func aPayloadIsTyped() {
    let notification = RemoteNotification(payload: Self.payload)
    #expect(notification.alert == .text("Hello"))
    #expect(notification.badge == 3)
    #expect(notification.sound == "ping")
    #expect(RemoteNotification(payload: ["aps": ["alert": ["title": "T"]]]).alert == .dictionary(["title": "T"]))
    let silent = RemoteNotification(payload: ["aps": ["content-available": 1]])
    #expect(silent.alert == nil)
    #expect(LaunchReason.remoteNotification(silent).context == .backgroundLaunch)
    #expect(RemoteNotification(payload: ["aps": "nonsense"]).alert == nil)
  }

  @Test func theSceneGetsWhatTheLaunchSays() {
    var options = LaunchOptions()
    options.url = "https://example.org"
    options.sourceApplication = "org.example"
    options.userActivityType = "read"
    options.remoteNotification = RemoteNotification(payload: Self.payload)
    let connection = ConnectionOptions(options)
    #expect(
      connection.urlContexts == [OpenURLContext(url: "https://example.org", sourceApplication: "org.example")])
    #expect(connection.userActivities.map(\.activityType) == ["read"])
    #expect(connection.notificationResponse?.payload == Self.payload)
  }
}
