internal import CLaunchObserver

/// The launcher's stamp in the environment of a program: what a recorder in it takes for the start of the launch.
///
/// For as long as the program stood still, the launch had not gone on.
struct LaunchStamp {
  private let processID: Int32
  private var time: Int64

  /// An environment is rarely larger; then the stamp stays as it is.
  private static let most: UInt64 = 1 << 20

  init(processID: Int32, time: Int64) {
    self.processID = processID
    self.time = time
  }

  /// Moves the stamp, in a program that has stopped at its first instruction.
  mutating func move(by delay: Int64) {
    let (old, new) = (entry(time), entry(time + delay))
    guard let place = Descendants.Process(id: processID)?.environment, !place.isEmpty, old.count == new.count,
      place.upperBound - place.lowerBound <= Self.most
    else { return }
    var bytes = [UInt8](repeating: 0, count: place.count)
    guard lo_read_memory(processID, place.lowerBound, &bytes, bytes.count) == 0 else { return }
    // A shell passes its environment on in an order of its own.
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
