// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The waits of a launch that are long enough to ask where they were called.
struct LongWaits {
  private struct Departure {
    var time: Int64
    var isLong: Bool
  }

  /// By thread, in the order of time.
  private var departures: [Int32: [Departure]] = [:]

  /// ns: a launch has many waits that are shorter, and they matter little.
  private static let least: Int64 = 200_000

  /// - Parameter switches: in the order of time.
  init(_ switches: [PerfEvents.Switch]) {
    for change in switches {
      let (thread, time) = (change.place.threadID, change.place.time)
      if change.isOut {
        departures[thread, default: []].append(Departure(time: time, isLong: !change.isPreempted))
      } else if let last = departures[thread]?.indices.last, let left = departures[thread]?[last].time,
        time - left < Self.least
      {
        departures[thread]?[last].isLong = false
      }
    }
  }

  /// The stacks of these waits, each at the time at which the wait began: the kernel takes the stack, and then says that the
  /// thread leaves its processor.
  func stacks(_ taken: [PerfEvents.Sample]) -> [PerfEvents.Sample] {
    taken.compactMap { stack in
      guard let all = departures[stack.place.threadID] else { return nil }
      let row = all.partitioningIndex { $0.time >= stack.place.time }
      guard row < all.count, all[row].isLong else { return nil }
      var stack = stack
      stack.place.time = all[row].time
      return stack
    }
  }
}
