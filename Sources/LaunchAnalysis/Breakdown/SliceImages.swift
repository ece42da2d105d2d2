// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The libraries that initialisers, and what the loader does, are of.
struct SliceImages {
  private let trace: Trace
  private let initializer: UInt32?
  private let library: UInt32?

  init(_ trace: Trace) {
    self.trace = trace
    initializer = trace.strings.id(of: CategoryName.initializer)?.rawValue
    library = trace.strings.id(of: CategoryName.library)?.rawValue
  }

  /// Whether the slice is of a library, and not the program's own work.
  func isKnown(_ row: SliceIndex) -> Bool {
    let category = trace.slices.category[row]
    return category == initializer || category == library
  }

  /// The path or name of the library; nil if the slice does not say it, or names several.
  subscript(row: SliceIndex) -> String? {
    let annotations = trace.annotations(ofSlice: row)
    return annotations.string(LS_KEY_IMAGE) ?? annotations.string(LS_KEY_PATH)
  }
}
