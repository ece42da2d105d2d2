// SPDX-License-Identifier: Apache-2.0

// The part of UIKit that the package uses, as Apple documents it.
@_exported import Foundation

@MainActor
open class UIApplication: NSObject {
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let url = LaunchOptionsKey(rawValue: "url")
    public static let sourceApplication = LaunchOptionsKey(rawValue: "sourceApplication")
    public static let annotation = LaunchOptionsKey(rawValue: "annotation")
    public static let remoteNotification = LaunchOptionsKey(rawValue: "remoteNotification")
    public static let localNotification = LaunchOptionsKey(rawValue: "localNotification")
    public static let location = LaunchOptionsKey(rawValue: "location")
    public static let newsstandDownloads = LaunchOptionsKey(rawValue: "newsstandDownloads")
    public static let bluetoothCentrals = LaunchOptionsKey(rawValue: "bluetoothCentrals")
    public static let bluetoothPeripherals = LaunchOptionsKey(rawValue: "bluetoothPeripherals")
    public static let shortcutItem = LaunchOptionsKey(rawValue: "shortcutItem")
    public static let userActivityDictionary = LaunchOptionsKey(rawValue: "userActivityDictionary")
    public static let userActivityType = LaunchOptionsKey(rawValue: "userActivityType")
    public static let cloudKitShareMetadata = LaunchOptionsKey(rawValue: "cloudKitShareMetadata")
    public static let eventAttribution = LaunchOptionsKey(rawValue: "eventAttribution")
  }
  nonisolated public static let didBecomeActiveNotification = NSNotification.Name("didBecomeActive")
}

// In UIKit these are optional members of Objective-C protocols.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func applicationDidBecomeActive(_ application: UIApplication)
}
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func applicationDidBecomeActive(_ application: UIApplication) {}
}

@MainActor
open class UIScene: NSObject {
  @MainActor
  open class ConnectionOptions: NSObject {
    open var urlContexts: Set<UIOpenURLContext> { [] }
    open var sourceApplication: String? { nil }
    open var handoffUserActivityType: String? { nil }
    open var userActivities: Set<NSUserActivity> { [] }
    open var notificationResponse: UNNotificationResponse? { nil }
    open var shortcutItem: UIApplicationShortcutItem? { nil }
    open var cloudKitShareMetadata: CKShareMetadata? { nil }
  }
  nonisolated public static let didActivateNotification = NSNotification.Name("didActivate")
}

open class UISceneSession: NSObject {}

@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
}
extension UISceneDelegate {
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
  ) {}
}

open class UIOpenURLContext: NSObject { open var url: URL { URL(fileURLWithPath: "/") } }
open class NSUserActivity: NSObject { open var activityType: String { "" } }
open class UNNotificationResponse: NSObject { open var actionIdentifier: String { "" } }
open class CKShareMetadata: NSObject {}
open class UIApplicationShortcutItem: NSObject {
  open var type: String { "" }
  open var localizedTitle: String { "" }
}
open class UIEventAttribution: NSObject {
  open var sourceIdentifier: UInt8 { 0 }
  open var destinationURL: URL { URL(fileURLWithPath: "/") }
}
