// SPDX-License-Identifier: Apache-2.0

import LaunchLifecycle

/// `LIFECYCLE_OPTION` names the key of the launch's options for which the program was launched.
extension ProgramDelegate {
  static var launchOptions: LaunchOptions? {
    environment("LIFECYCLE_OPTION").flatMap(LaunchOptionsKey.init).map(options)
  }

  private static func options(_ key: LaunchOptionsKey) -> LaunchOptions {
    let payload: [String: PropertyList] = ["aps": ["alert": "secret alert", "badge": 3, "sound": "ping"]]
    var options = LaunchOptions()
    switch key {
    case .url:
      options.url = "https://secret.example.org/"
      options.sourceApplication = "org.example.secret"
    case .sourceApplication: options.sourceApplication = "org.example.secret"
    case .annotation: options.annotation = ["secret": "value"]
    case .remoteNotification: options.remoteNotification = RemoteNotification(payload: payload)
    case .localNotification:
      options.localNotification = LocalNotification(alertBody: "secret alert", userInfo: ["secret": 1])
    case .location: options.location = true
    case .newsstandDownloads: options.newsstandDownloads = ["secret-asset"]
    case .bluetoothCentrals: options.bluetoothCentrals = ["secret-central"]
    case .bluetoothPeripherals: options.bluetoothPeripherals = ["secret-peripheral"]
    case .shortcutItem:
      options.shortcutItem = ShortcutItem(
        type: "compose-secret", localizedTitle: "secret title", userInfo: ["secret": 1])
    case .userActivityDictionary: options.userActivityDictionary = ["secret": 1]
    case .userActivityType: options.userActivityType = "read-secret"
    case .cloudKitShareMetadata:
      options.cloudKitShareMetadata = CloudKitShareMetadata(
        containerIdentifier: "secret-container", shareURL: "https://secret.example.org/share")
    case .eventAttribution:
      options.eventAttribution = EventAttribution(
        sourceIdentifier: 1, destinationURL: "https://secret.example.org/shop")
    }
    return options
  }

  func sayOptions(_ callback: String, _ options: LaunchOptions) {
    guard environment("LIFECYCLE_OPTION") != nil else { return }
    say("options: \(callback) \(options.keys.map(\.rawValue).joined(separator: " "))")
  }
}

@MainActor
func sayOptions(_ options: ConnectionOptions) {
  guard environment("LIFECYCLE_OPTION") != nil else { return }
  var names: [String] = []
  if !options.urlContexts.isEmpty { names.append("urlContexts") }
  if options.sourceApplication != nil { names.append("sourceApplication") }
  if options.handoffUserActivityType != nil { names.append("handoffUserActivityType") }
  if !options.userActivities.isEmpty { names.append("userActivities") }
  if options.notificationResponse != nil { names.append("notificationResponse") }
  if options.shortcutItem != nil { names.append("shortcutItem") }
  if options.cloudKitShareMetadata != nil { names.append("cloudKitShareMetadata") }
  say("options: scene \(names.joined(separator: " "))")
}
