// SPDX-License-Identifier: Apache-2.0

/// Why the program was launched, with values: a key of `UIApplication.LaunchOptionsKey`, a property of
/// `UIScene.ConnectionOptions`, or a way to launch programs on Linux.
public enum LaunchReason: Sendable, Equatable {
  /// The user started it by its icon.
  case icon
  /// URLs or files to open.
  case url([OpenURLContext])
  /// Another application requested it, with nothing to open.
  case sourceApplication(String)
  /// The property list of an application that requested it, with nothing to open.
  case annotation(PropertyList)
  case remoteNotification(RemoteNotification)
  case localNotification(LocalNotification)
  case notificationResponse(NotificationResponse)
  case location
  /// Ids of assets.
  case newsstandDownloads([String])
  /// Restoration ids.
  case bluetoothCentrals([String])
  case bluetoothPeripherals([String])
  case shortcutItem(ShortcutItem)
  case userActivity(UserActivity)
  /// The type of the activity that another device is about to hand over.
  case handoffUserActivity(type: String)
  case cloudKitShare(CloudKitShareMetadata)
  case eventAttribution(EventAttribution)

  /// A desktop's launcher or menu. The file is the program's `.desktop` file, if known.
  case desktopLauncher(desktopFile: String?)
  /// A message to a name that the program owns on D-Bus. The type of the bus is `session` or `system`, if known.
  case dbusActivation(busType: String?)
  case systemdService(invocationID: String?)
  /// A connection to sockets that systemd holds. `names` has the names of the sockets.
  case socketActivation(names: [String])
  /// A timer unit. `realtime` is when the timer elapsed, in microseconds since 1970.
  case timer(unit: String?, realtime: UInt64?)
  /// A path unit, with the path that changed.
  case pathUnit(unit: String?, path: String?)
  /// A function service. The type says why it created this instance: `on-demand`, `provisioned-concurrency`,
  /// `snap-start`.
  case functionRuntime(initializationType: String?)
  case terminal
  case continuousIntegration
  /// The session manager started the program again, because it ran at the end of the last session.
  case sessionRestore(clientID: String?)

  /// The reason is unknown.
  case unknown

  /// The name in the trace. Reports group launches by it, and budgets can depend on it.
  public var id: String {
    switch self {
    case .icon: "icon"
    case .url: "url"
    case .sourceApplication: "sourceApplication"
    case .annotation: "annotation"
    case .remoteNotification: "remoteNotification"
    case .localNotification: "localNotification"
    case .notificationResponse: "notificationResponse"
    case .location: "location"
    case .newsstandDownloads: "newsstandDownloads"
    case .bluetoothCentrals: "bluetoothCentrals"
    case .bluetoothPeripherals: "bluetoothPeripherals"
    case .shortcutItem: "shortcutItem"
    case .userActivity: "userActivity"
    case .handoffUserActivity: "handoffUserActivity"
    case .cloudKitShare: "cloudKitShare"
    case .eventAttribution: "eventAttribution"
    case .desktopLauncher: "desktopLauncher"
    case .dbusActivation: "dbusActivation"
    case .systemdService: "systemdService"
    case .socketActivation: "socketActivation"
    case .timer: "timer"
    case .pathUnit: "pathUnit"
    case .functionRuntime: "functionRuntime"
    case .terminal: "terminal"
    case .continuousIntegration: "continuousIntegration"
    case .sessionRestore: "sessionRestore"
    case .unknown: "unknown"
    }
  }

  /// Whether a person waits for the launch, as far as the reason says.
  public var context: LaunchContext {
    switch self {
    case .icon, .url, .sourceApplication, .annotation, .localNotification, .notificationResponse, .shortcutItem,
      .userActivity, .handoffUserActivity, .cloudKitShare, .eventAttribution, .desktopLauncher, .terminal,
      .sessionRestore:
      .userLaunch
    case .location, .newsstandDownloads, .bluetoothCentrals, .bluetoothPeripherals, .dbusActivation, .systemdService,
      .socketActivation, .timer, .pathUnit:
      .backgroundLaunch
    // A silent notification is handled in the background; one with an alert was tapped.
    case .remoteNotification(let notification): notification.alert == nil ? .backgroundLaunch : .userLaunch
    // A request waits for an instance that is created on demand. Other instances are created before a request arrives.
    case .functionRuntime(let type):
      switch type {
      case "on-demand": .userLaunch
      case "provisioned-concurrency", "snap-start": .prewarming
      default: .uncertain
      }
    case .continuousIntegration, .unknown: .uncertain
    }
  }
}
