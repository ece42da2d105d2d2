// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// The libraries that initialisers, and what the loader does, are of.
struct SliceImages {
  private let trace: Trace
  private let initializer: UInt32?
  private let library: UInt32?
  /// The files of libraries, and their names.
  private let paths: [String]
  private let names: LibraryNames

  init(_ timeline: LaunchTimeline) {
    trace = timeline.trace
    paths = timeline.libraries.libraries.map(\.path)
    names = LibraryNames(paths.map(fileName))
    initializer = trace.strings.id(of: CategoryName.initializer)?.rawValue
    library = trace.strings.id(of: CategoryName.library)?.rawValue
  }

  /// Whether the slice is of a library, and not the program's own work.
  func isKnown(_ row: SliceIndex) -> Bool {
    let category = trace.slices.category[row]
    return category == initializer || category == library
  }

  /// The path or name of the library; nil if the slice does not say it, or names several. Of a link, the path of the file,
  /// which other slices of the library name.
  subscript(row: SliceIndex) -> String? {
    let annotations = trace.annotations(ofSlice: row)
    guard let image = annotations.string(LS_KEY_IMAGE) ?? annotations.string(LS_KEY_PATH) else { return nil }
    return names.only(fileName(image)).map { paths[$0] } ?? image
  }
}
