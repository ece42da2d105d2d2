// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// A value of a launch's reason, as the trace records it.
struct RecordedValue: Equatable {
  /// `option.` or `connection.` and the key's name, or `reason.detail`.
  var key: String
  /// The value itself. It is private unless it equals `redacted`.
  var text: String
  /// Its kind and size.
  var redacted: String

  init(_ key: String, _ text: String, _ redacted: String) {
    (self.key, self.text, self.redacted) = (key, text, redacted)
  }

  /// A value that is not private.
  static func open(_ key: String, _ text: String) -> RecordedValue { RecordedValue(key, text, text) }

  static func url(_ key: String, _ urls: [String]) -> RecordedValue {
    let kinds = urls.map { "\($0.isURL ? "URL" : "path"), \($0.utf8.count) bytes" }
    return RecordedValue(key, urls.joined(separator: " "), kinds.joined(separator: "; "))
  }

  static func text(_ key: String, _ text: String, kind: String) -> RecordedValue {
    RecordedValue(key, text, "\(kind), \(text.utf8.count) bytes")
  }

  static func entries(_ key: String, _ entries: [String: PropertyList], kind: String = "payload") -> RecordedValue {
    let value = PropertyList.dictionary(entries)
    let count = "\(entries.count) key\(entries.count == 1 ? "" : "s")"
    return RecordedValue(key, value.description, "\(kind), \(count), \(value.encoded().count) bytes")
  }

  static func list(_ key: String, _ items: [String]) -> RecordedValue {
    let bytes = items.reduce(0) { $0 + $1.utf8.count }
    return RecordedValue(
      key, items.joined(separator: " "), "\(items.count) item\(items.count == 1 ? "" : "s"), \(bytes) bytes")
  }
}

extension RecordedValue {
  fileprivate static func shortcut(_ key: String, _ item: ShortcutItem) -> RecordedValue {
    let text = [item.type, item.localizedTitle, item.userInfo.text].filter { !$0.isEmpty }.joined(separator: " ")
    return RecordedValue(key, text, RecordedValue.text(key, item.type, kind: "type").redacted)
  }

  fileprivate static func share(_ key: String, _ share: CloudKitShareMetadata) -> RecordedValue {
    let text = [share.containerIdentifier, share.shareURL].compactMap(\.self).joined(separator: " ")
    return RecordedValue(key, text, RecordedValue.text(key, share.containerIdentifier, kind: "container id").redacted)
  }

  fileprivate static func activities(_ key: String, _ activities: [UserActivity]) -> RecordedValue {
    let texts = activities.map {
      [$0.activityType, $0.title, $0.webpageURL, $0.userInfo.text].compactMap(\.self).filter { !$0.isEmpty }
        .joined(separator: " ")
    }
    return RecordedValue(
      key, texts.joined(separator: "; "), RecordedValue.list(key, activities.map(\.activityType)).redacted)
  }

  fileprivate static func response(_ key: String, _ response: NotificationResponse) -> RecordedValue {
    RecordedValue(
      key, "\(response.actionIdentifier) \(response.payload.text)",
      RecordedValue.entries(key, response.payload).redacted)
  }
}

extension [String: PropertyList] {
  /// Empty if there are no entries.
  fileprivate var text: String { isEmpty ? "" : PropertyList.dictionary(self).description }
}

extension LaunchCircumstances {
  var recordedValues: [RecordedValue] {
    let values = [reason.recordedDetail] + LaunchOptionsKey.allCases.map(options.recorded) + connectionOptions.recorded
    return values.compactMap(\.self)
  }
}

extension LaunchReason {
  /// The system's details name units and services, not people. A path may name a person's file, so it is private.
  fileprivate var recordedDetail: RecordedValue? {
    let key = "reason.detail"
    return switch self {
    case .desktopLauncher(let file):
      file.map { RecordedValue(key, $0, $0.split(separator: "/").last.map(String.init) ?? "") }
    case .dbusActivation(let bus): bus.map { .open(key, $0) }
    case .systemdService(let invocation): invocation.map { .open(key, $0) }
    case .socketActivation(let names): names.isEmpty ? nil : .open(key, names.joined(separator: " "))
    case .timer(let unit, let time):
      .open(key, [unit, time.map { "\($0)" }].compactMap(\.self).joined(separator: " "))
    case .pathUnit(let unit, let path):
      RecordedValue(
        key, [unit, path].compactMap(\.self).joined(separator: " "),
        [unit, path.map { "path, \($0.utf8.count) bytes" }].compactMap(\.self).joined(separator: " "))
    case .functionRuntime(let type): type.map { .open(key, $0) }
    case .sessionRestore(let client): client.map { .text(key, $0, kind: "client id") }
    default: nil
    }
  }
}

extension LaunchOptions {
  /// The value of a key; nil if it has none.
  func recorded(_ key: LaunchOptionsKey) -> RecordedValue? {
    let name = "option.\(key.rawValue)"
    return switch key {
    case .url: url.map { .url(name, [$0]) }
    case .sourceApplication: sourceApplication.map { .text(name, $0, kind: "application id") }
    case .annotation:
      annotation.map { RecordedValue(name, $0.description, "property list, \($0.encoded().count) bytes") }
    case .remoteNotification: remoteNotification.map { .entries(name, $0.payload) }
    case .localNotification:
      localNotification.map {
        RecordedValue(
          name, "\($0.alertBody ?? "") \(PropertyList.dictionary($0.userInfo))",
          RecordedValue.entries(name, $0.userInfo).redacted)
      }
    case .location: location ? .open(name, "true") : nil
    case .newsstandDownloads: newsstandDownloads.isEmpty ? nil : .list(name, newsstandDownloads)
    case .bluetoothCentrals: bluetoothCentrals.isEmpty ? nil : .list(name, bluetoothCentrals)
    case .bluetoothPeripherals: bluetoothPeripherals.isEmpty ? nil : .list(name, bluetoothPeripherals)
    case .shortcutItem: shortcutItem.map { .shortcut(name, $0) }
    case .userActivityDictionary: userActivityDictionary.map { .entries(name, $0, kind: "user info") }
    case .userActivityType: userActivityType.map { .text(name, $0, kind: "type") }
    case .cloudKitShareMetadata: cloudKitShareMetadata.map { .share(name, $0) }
    case .eventAttribution: eventAttribution.map { .url(name, [$0.destinationURL]) }
    }
  }
}

extension ConnectionOptions {
  /// The values of all keys; nil for those that have none.
  fileprivate var recorded: [RecordedValue?] {
    [
      urlContexts.isEmpty ? nil : .url(LS_KEY_CONNECTION_URL_CONTEXTS, urlContexts.map(\.url)),
      sourceApplication.map { .text(LS_KEY_CONNECTION_SOURCE_APPLICATION, $0, kind: "application id") },
      handoffUserActivityType.map { .text(LS_KEY_CONNECTION_HANDOFF_USER_ACTIVITY_TYPE, $0, kind: "type") },
      userActivities.isEmpty ? nil : .activities(LS_KEY_CONNECTION_USER_ACTIVITIES, userActivities),
      notificationResponse.map { .response(LS_KEY_CONNECTION_NOTIFICATION_RESPONSE, $0) },
      shortcutItem.map { .shortcut(LS_KEY_CONNECTION_SHORTCUT_ITEM, $0) },
      cloudKitShareMetadata.map { .share(LS_KEY_CONNECTION_CLOUD_KIT_SHARE_METADATA, $0) },
    ]
  }
}
