internal import LaunchTrace

extension [Int64] {
  /// The first place whose time is `time` or later, in times that ascend.
  func firstPlace(notBefore time: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SampleTable {
  /// The first row at `time` or later.
  func firstRow(at time: Int64) -> Int { self.time.firstPlace(notBefore: time) }
}

extension SwitchTable {
  /// The first row at `time` or later.
  func firstRow(at time: Int64) -> Int { self.time.firstPlace(notBefore: time) }
}
