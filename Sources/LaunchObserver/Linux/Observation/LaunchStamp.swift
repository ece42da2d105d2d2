// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// The launcher's stamp in a program's environment, which a recorder takes as the start of the launch.
///
/// While the program is stopped, the launch does not continue.
struct LaunchStamp {
  private let processID: Int32
  private var time: Int64

  /// Environments are rarely larger; then the stamp is not moved.
  private static let most: UInt64 = 1 << 20

  init(processID: Int32, time: Int64) {
    self.processID = processID
    self.time = time
  }

  /// Moves the stamp of a program that has stopped at its first instruction, and goes on now.
  ///
  /// - Parameter stopped: when it stopped, CLOCK_MONOTONIC ns.
  mutating func move(since stopped: Int64) {
    guard let place = place() else { return }
    // As late as possible: what comes after it is not part of the stop.
    let moved = time + Int64(lo_now()) - stopped
    let (old, new) = (entry(time), entry(moved))
    guard old.count == new.count, lo_write_memory(processID, place, new, new.count) == 0 else { return }
    time = moved
  }

  /// The address of the stamp in the process; nil if it is not there.
  private func place() -> UInt64? {
    guard let place = Descendants.Process(id: processID)?.environment, !place.isEmpty,
      place.upperBound - place.lowerBound <= Self.most
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: place.count)
    guard lo_read_memory(processID, place.lowerBound, &bytes, bytes.count) == 0 else { return nil }
    // A shell may pass its environment on in another order.
    let stamp = entry(time)
    let found = bytes.split(separator: 0).first { $0.elementsEqual(stamp) }
    return found.map { place.lowerBound + UInt64($0.startIndex) }
  }

  private func entry(_ time: Int64) -> [UInt8] { Array("\(LaunchVariable.start)=\(processID):\(time)".utf8) }
}
