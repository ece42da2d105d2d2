// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord

/// The ids of launches that were read, to count each launch once.
///
/// It keeps 64 bits of each random id, in at most 128 MiB. Two of a million launches share them by chance once in
/// 37 million files.
struct LaunchIDs {
  static let most = 8 << 20

  private var slots: [UInt64]
  private var count = 0
  private let most: Int
  /// Launches that came when no more ids could be kept, and that may have been counted before.
  private(set) var unchecked = 0

  init(most: Int = Self.most) {
    self.most = most
    slots = [UInt64](repeating: 0, count: 1 << 12)
  }

  /// With this secret, no file can choose ids whose places collide.
  private static let secret = UInt64.random(in: .min ... .max)

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  func contains(_ id: LaunchID) -> Bool {
    let key = Self.key(of: id)
    var place = place(of: key)
    while slots[place] != 0, slots[place] != key { place = (place + 1) & (slots.count - 1) }
    return slots[place] == key
  }

  /// 0 marks a free place.
  private static func key(of id: LaunchID) -> UInt64 { max(1, mixed(id.high ^ secret) ^ id.low) }

  /// Whether the id was not seen before.
  mutating func insert(_ id: LaunchID) -> Bool {
    let key = Self.key(of: id)
    var place = place(of: key)
    while slots[place] != 0 {
      if slots[place] == key { return false }
      place = (place + 1) & (slots.count - 1)
    }
    guard count < most else {
      unchecked += 1
      return true
    }
    slots[place] = key
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  private func place(of key: UInt64) -> Int { Int(Self.mixed(key &+ Self.secret) & UInt64(slots.count - 1)) }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for key in old where key != 0 {
      var place = place(of: key)
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = key
    }
  }
}

extension LaunchID {
  /// What a table has for a record without an id.
  static var absent: LaunchID { LaunchID(high: 0, low: 0) }
}
