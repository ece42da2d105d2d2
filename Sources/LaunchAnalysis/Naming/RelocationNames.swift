// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

extension Trace {
  /// Gives the relocation of each library its name: `relocate libapp.so`. All have one name in a file, so a reader could not
  /// distinguish them.
  func withNamedRelocations() -> Trace {
    guard let name = strings.id(of: LS_EVENT_RELOCATE)?.rawValue else { return self }
    var named = self
    for row in slices(of: CategoryName.library) where slices.name[row] == name {
      guard let path = annotations(ofSlice: row).string(LS_KEY_PATH) else { continue }
      named.slices.rename(row, to: named.strings.intern("\(LS_EVENT_RELOCATE) \(Trace.fileName(ofImage: path))"))
    }
    return named
  }

  /// The relocations of libraries, of any process.
  func relocations() -> [SliceIndex] {
    slices(of: CategoryName.library).filter { row in
      let name = strings[StringID(rawValue: slices.name[row])]
      return name == LS_EVENT_RELOCATE || name.hasPrefix(LS_EVENT_RELOCATE + " ")
    }
  }
}
