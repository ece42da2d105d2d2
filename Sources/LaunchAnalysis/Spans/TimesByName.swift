// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Times of intervals, by name. In a crafted trace, each of half a million intervals has a name of its own.
struct TimesByName {
  /// By the number of the name; -1 if no interval has it.
  private var times: [Int64]
  /// Those that an interval has.
  private var names: [UInt32] = []
  private let strings: StringTable

  init(_ strings: StringTable) {
    self.strings = strings
    times = [Int64](repeating: -1, count: strings.count)
  }

  mutating func add(_ time: Int64, of name: UInt32) { update(name) { $0 += time } }

  /// Keeps the longest time of each name.
  mutating func keepLongest(_ time: Int64, of name: UInt32) { update(name) { $0 = max($0, time) } }

  private mutating func update(_ name: UInt32, _ change: (inout Int64) -> Void) {
    if times[Int(name)] < 0 {
      times[Int(name)] = 0
      names.append(name)
    }
    change(&times[Int(name)])
  }

  var values: [Int64] { names.map { times[Int($0)] } }

  /// Names with their times.
  ///
  /// - Parameter least: shorter times are left out.
  func pairs(least: Int64 = 0) -> some Sequence<(key: String, value: Int64)> {
    names.lazy.filter { times[Int($0)] >= least }.map { name in
      (strings[StringID(rawValue: name)], times[Int(name)])
    }
  }
}
