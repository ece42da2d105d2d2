// SPDX-License-Identifier: Apache-2.0

/// The values of a program's state, by key. Mirrors the keyed coder of UIKit's state restoration.
@MainActor
public final class StateCoder {
  var values: [String: PropertyList]

  init(_ values: [String: PropertyList] = [:]) { self.values = values }

  public func encode(_ value: PropertyList, forKey key: String) { values[key] = value }

  /// Returns the value of a key; nil if the key has none.
  public func decode(forKey key: String) -> PropertyList? { values[key] }
}

extension UserActivity {
  var propertyList: PropertyList {
    var entries: [String: PropertyList] = ["type": .string(activityType), "userInfo": .dictionary(userInfo)]
    entries["title"] = title.map(PropertyList.string)
    entries["webpageURL"] = webpageURL.map(PropertyList.string)
    return .dictionary(entries)
  }

  init?(_ value: PropertyList) {
    guard let type = value["type"]?.string else { return nil }
    self.init(
      activityType: type, title: value["title"]?.string, webpageURL: value["webpageURL"]?.string,
      userInfo: value["userInfo"]?.dictionary ?? [:])
  }
}
