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

  /// Moves the stamp of a program that has stopped at its first instruction.
  mutating func move(by delay: Int64) {
    let (old, new) = (entry(time), entry(time + delay))
    guard let place = Descendants.Process(id: processID)?.environment, !place.isEmpty, old.count == new.count,
      place.upperBound - place.lowerBound <= Self.most
    else { return }
    var bytes = [UInt8](repeating: 0, count: place.count)
    guard lo_read_memory(processID, place.lowerBound, &bytes, bytes.count) == 0 else { return }
    // A shell may pass its environment on in another order.
    var at = 0
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: 0) ?? bytes.count
      if bytes[at..<end].elementsEqual(old) {
        if lo_write_memory(processID, place.lowerBound + UInt64(at), new, new.count) == 0 { time += delay }
        return
      }
      at = end + 1
    }
  }

  private func entry(_ time: Int64) -> [UInt8] { Array("\(LaunchVariable.start)=\(processID):\(time)".utf8) }
}
