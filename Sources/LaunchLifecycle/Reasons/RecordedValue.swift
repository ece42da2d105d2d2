/// A value of a launch's reason, as the trace has it.
struct RecordedValue: Equatable {
  /// `option.` or `connection.` and the key's name, or `reason.detail`.
  var key: String
  /// The value itself: private unless `redacted` is the same.
  var text: String
  /// Its kind and size.
  var redacted: String

  init(_ key: String, _ text: String, _ redacted: String) {
    (self.key, self.text, self.redacted) = (key, text, redacted)
  }

  /// A value that says nothing of the person.
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

extension LaunchCircumstances {
  var recordedValues: [RecordedValue] {
    reason.recordedDetail + options.keys.map { options.recorded($0) } + connectionOptions.recordedValues
  }
}

extension LaunchReason {
  /// What systems say of a launch names units and services, not people; a path may name a person's file.
  fileprivate var recordedDetail: [RecordedValue] {
    let key = "reason.detail"
    let detail: RecordedValue? =
      switch self {
      case .desktopLauncher(let file): file.map { .open(key, $0.split(separator: "/").last.map(String.init) ?? "") }
      case .dbusActivation(let bus): bus.map { .open(key, $0) }
      case .socketActivation(let names): names.isEmpty ? nil : .open(key, names.joined(separator: " "))
      case .timer(let unit, _): unit.map { .open(key, $0) }
      case .pathUnit(let unit, let path):
        RecordedValue(
          key, [unit, path].compactMap(\.self).joined(separator: " "),
          [unit, path.map { "path, \($0.utf8.count) bytes" }].compactMap(\.self).joined(separator: " "))
      case .functionRuntime(let type): type.map { .open(key, $0) }
      default: nil
      }
    return detail.map { [$0] } ?? []
  }
}

extension LaunchOptions {
  /// The value of a key that has one.
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
    case .shortcutItem: .text(name, shortcutItem?.type ?? "", kind: "type")
    case .userActivityDictionary: .entries(name, userActivityDictionary ?? [:], kind: "user info")
    case .userActivityType: .text(name, userActivityType ?? "", kind: "type")
    case .cloudKitShareMetadata: .text(name, cloudKitShareMetadata?.containerIdentifier ?? "", kind: "container id")
    case .eventAttribution: .url(name, [eventAttribution?.destinationURL ?? ""])
    }
  }
}

extension ConnectionOptions {
  fileprivate var recordedValues: [RecordedValue] {
    var values: [RecordedValue] = []
    func add(_ name: String, _ value: (String) -> RecordedValue?) {
      if let value = value("connection.\(name)") { values.append(value) }
    }
    add("urlContexts") { urlContexts.isEmpty ? nil : .url($0, urlContexts.map(\.url)) }
    add("sourceApplication") { key in sourceApplication.map { .text(key, $0, kind: "application id") } }
    add("handoffUserActivityType") { key in handoffUserActivityType.map { .text(key, $0, kind: "type") } }
    add("userActivities") { userActivities.isEmpty ? nil : .list($0, userActivities.map(\.activityType)) }
    add("notificationResponse") { key in notificationResponse.map { .entries(key, $0.payload) } }
    add("shortcutItem") { key in shortcutItem.map { .text(key, $0.type, kind: "type") } }
    add("cloudKitShareMetadata") { key in
      cloudKitShareMetadata.map { .text(key, $0.containerIdentifier, kind: "container id") }
    }
    return values
  }
}
