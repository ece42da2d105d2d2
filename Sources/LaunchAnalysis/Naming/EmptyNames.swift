// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension Trace {
  /// What reports call something whose name is empty.
  static let noName = "(no name)"

  /// Names the slices whose names are empty, because a row of a report without a name looks like a defect.
  func withoutEmptyNames() -> Trace {
    guard slices.name.contains(StringID.empty.rawValue) else { return self }
    var named = self
    let name = named.strings.intern(Self.noName)
    for row in 0..<slices.count where slices.name[row] == StringID.empty.rawValue { named.slices.rename(row, to: name) }
    return named
  }
}
