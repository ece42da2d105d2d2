// SPDX-License-Identifier: Apache-2.0

/// A push notification's payload. Mirrors the dictionary under `UIApplication.LaunchOptionsKey.remoteNotification`.
public struct RemoteNotification: Sendable, Equatable {
  /// `aps.alert`: a string, or a dictionary.
  public enum Alert: Sendable, Equatable {
    case text(String)
    case dictionary([String: PropertyList])
  }

  public var payload: [String: PropertyList]

  public init(payload: [String: PropertyList]) { self.payload = payload }

  public var alert: Alert? {
    switch payload["aps"]?["alert"] {
    case .string(let text): .text(text)
    case .dictionary(let entries): .dictionary(entries)
    default: nil
    }
  }
  public var badge: Int? { payload["aps"]?["badge"]?.integer }
  public var sound: String? { payload["aps"]?["sound"]?.string }
}

/// A notification that the program itself scheduled. Mirrors `UILocalNotification`.
public struct LocalNotification: Sendable, Equatable {
  public var alertBody: String?
  public var userInfo: [String: PropertyList]

  public init(alertBody: String? = nil, userInfo: [String: PropertyList] = [:]) {
    self.alertBody = alertBody
    self.userInfo = userInfo
  }
}

/// The user's response to a notification. Mirrors `UNNotificationResponse`.
public struct NotificationResponse: Sendable, Equatable {
  public var actionIdentifier: String
  public var payload: [String: PropertyList]

  public init(actionIdentifier: String, payload: [String: PropertyList] = [:]) {
    self.actionIdentifier = actionIdentifier
    self.payload = payload
  }
}

/// A quick action of the icon; on Linux an `Action` of the desktop file. Mirrors `UIApplicationShortcutItem`.
public struct ShortcutItem: Sendable, Equatable {
  public var type: String
  public var localizedTitle: String
  public var userInfo: [String: PropertyList]

  public init(type: String, localizedTitle: String = "", userInfo: [String: PropertyList] = [:]) {
    self.type = type
    self.localizedTitle = localizedTitle
    self.userInfo = userInfo
  }
}

/// Something that the user was doing, here or on another device. Mirrors `NSUserActivity`.
public struct UserActivity: Sendable, Equatable {
  public var activityType: String
  public var title: String?
  public var webpageURL: String?
  public var userInfo: [String: PropertyList]

  public init(
    activityType: String, title: String? = nil, webpageURL: String? = nil, userInfo: [String: PropertyList] = [:]
  ) {
    self.activityType = activityType
    self.title = title
    self.webpageURL = webpageURL
    self.userInfo = userInfo
  }
}

/// A share that the user accepted. Mirrors `CKShare.Metadata`.
public struct CloudKitShareMetadata: Sendable, Equatable {
  public var containerIdentifier: String
  public var shareURL: String?

  public init(containerIdentifier: String, shareURL: String? = nil) {
    self.containerIdentifier = containerIdentifier
    self.shareURL = shareURL
  }
}

/// A tap on an advertisement. Mirrors `UIEventAttribution`.
public struct EventAttribution: Sendable, Equatable {
  public var sourceIdentifier: UInt8
  public var destinationURL: String
  public var sourceDescription: String
  public var purchaser: String

  public init(sourceIdentifier: UInt8, destinationURL: String, sourceDescription: String = "", purchaser: String = "") {
    self.sourceIdentifier = sourceIdentifier
    self.destinationURL = destinationURL
    self.sourceDescription = sourceDescription
    self.purchaser = purchaser
  }
}

/// A URL, or the path of a file, that the program should open. Mirrors `UIOpenURLContext`.
public struct OpenURLContext: Sendable, Hashable {
  public var url: String
  /// The id of the application that requested it.
  public var sourceApplication: String?
  /// Whether to open the file in place, instead of copying it first.
  public var openInPlace: Bool

  public init(url: String, sourceApplication: String? = nil, openInPlace: Bool = true) {
    self.url = url
    self.sourceApplication = sourceApplication
    self.openInPlace = openInPlace
  }
}
