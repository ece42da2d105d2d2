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

  static func text(_ key: String, _ text: String, kind: String = "text") -> RecordedValue {
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
    reason.recordedDetail + options.keys.map { options.recorded($0) } + connectionOptions.recordedValues
  }
}

extension LaunchReason {
  /// The system's details name units and services, not people. A path may name a person's file, so it is private.
  fileprivate var recordedDetail: [RecordedValue] {
    let key = "reason.detail"
    let detail: RecordedValue? =
      switch self {
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
    return detail.map { [$0] } ?? []
  }
}

extension LaunchOptions {
  /// The value of a key; nil if it has none.
  fileprivate func recorded(_ key: LaunchOptionsKey) -> RecordedValue {
    let name = "option.\(key.rawValue)"
    return switch key {
    case .url: .url(name, [url ?? ""])
    case .sourceApplication: .text(name, sourceApplication ?? "", kind: "application id")
    case .annotation:
      RecordedValue(name, annotation?.description ?? "", "property list, \(annotation?.encoded().count ?? 0) bytes")
    case .remoteNotification: .entries(name, remoteNotification?.payload ?? [:])
    case .localNotification:
      RecordedValue(
        name, "\(localNotification?.alertBody ?? "") \(PropertyList.dictionary(localNotification?.userInfo ?? [:]))",
        RecordedValue.entries(name, localNotification?.userInfo ?? [:]).redacted)
    case .location: .open(name, "true")
    case .newsstandDownloads: .list(name, newsstandDownloads)
    case .bluetoothCentrals: .list(name, bluetoothCentrals)
    case .bluetoothPeripherals: .list(name, bluetoothPeripherals)
    case .shortcutItem: .shortcut(name, shortcutItem ?? ShortcutItem(type: ""))
    case .userActivityDictionary: .entries(name, userActivityDictionary ?? [:], kind: "user info")
    case .userActivityType: .text(name, userActivityType ?? "", kind: "type")
    case .cloudKitShareMetadata: .share(name, cloudKitShareMetadata ?? CloudKitShareMetadata(containerIdentifier: ""))
    case .eventAttribution: .url(name, [eventAttribution?.destinationURL ?? ""])
    }
  }
}

extension ConnectionOptions {
  fileprivate var recordedValues: [RecordedValue] {
    var values: [RecordedValue] = []
    func add(_ name: String, _ value: (String) -> RecordedValue?) {
      if let value = value(name) { values.append(value) }
    }
    add(LS_KEY_CONNECTION_URL_CONTEXTS) { urlContexts.isEmpty ? nil : .url($0, urlContexts.map(\.url)) }
    add(LS_KEY_CONNECTION_SOURCE_APPLICATION) { key in sourceApplication.map { .text(key, $0, kind: "application id") }
    }
    add(LS_KEY_CONNECTION_HANDOFF_USER_ACTIVITY_TYPE) { key in
      handoffUserActivityType.map { .text(key, $0, kind: "type") }
    }
    add(LS_KEY_CONNECTION_USER_ACTIVITIES) { userActivities.isEmpty ? nil : .activities($0, userActivities) }
    add(LS_KEY_CONNECTION_NOTIFICATION_RESPONSE) { key in notificationResponse.map { .response(key, $0) } }
    add(LS_KEY_CONNECTION_SHORTCUT_ITEM) { key in shortcutItem.map { .shortcut(key, $0) } }
    add(LS_KEY_CONNECTION_CLOUD_KIT_SHARE_METADATA) { key in
      cloudKitShareMetadata.map { .share(key, $0) }
    }
    return values
  }
}
