// SPDX-License-Identifier: Apache-2.0

/// When the loader finished each library's relocations. It then makes the data that only relocations change read-only
/// (PT_GNU_RELRO), which the kernel reports as a separate mapping.
///
/// The loader does this in the order in which it relocates libraries. A library without such data is missing here.
struct Relocations {
  struct Library: Equatable {
    var path: String
    var threadID: Int32
    /// When its data became writable: the loader had mapped it.
    var mapped: Int64
    /// CLOCK_MONOTONIC, ns.
    var relocated: Int64
  }

  private(set) var libraries: [Library] = []

  private enum Protection {
    static let write: UInt32 = 2
    static let execute: UInt32 = 4
  }

  /// - Parameter mappings: data mappings of one program of one process, in order.
  init(_ mappings: [PerfEvents.Mapping]) {
    var writable: [String: [PerfEvents.Mapping]] = [:]
    for mapping in mappings where mapping.isOfFile {
      if mapping.protection & Protection.write != 0 {
        writable[mapping.path, default: []].append(mapping)
      } else if mapping.protection & Protection.execute == 0,
        let place = writable[mapping.path]?.lastIndex(where: { $0.contains(mapping) }),
        let data = writable[mapping.path]?.remove(at: place)
      {
        libraries.append(
          Library(
            path: mapping.path, threadID: mapping.place.threadID, mapped: data.place.time,
            relocated: mapping.place.time))
      }
    }
  }

  /// The libraries that came with the program. All are mapped before the first is relocated; an initialiser may open
  /// others later.
  var first: ArraySlice<Library> {
    guard let begin = libraries.first else { return [] }
    return libraries.prefix { $0.mapped <= begin.relocated && $0.threadID == begin.threadID }
  }
}

extension PerfEvents.Mapping {
  fileprivate func contains(_ other: Self) -> Bool {
    other.address >= address && other.length <= length && other.address - address <= length - other.length
  }
}
