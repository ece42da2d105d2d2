// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension SampleTable {
  /// The first row at `time` or later.
  func firstRow(at time: Int64) -> Int { self.time.firstPlace(notBefore: time) }
}

extension SwitchTable {
  /// The first row at `time` or later.
  func firstRow(at time: Int64) -> Int { self.time.firstPlace(notBefore: time) }
}
