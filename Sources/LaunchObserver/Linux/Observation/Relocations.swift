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
  ///
  /// An auditor (`LD_AUDIT`) and its libraries are relocated before the program's libraries are mapped. Only the second group
  /// has the program and the loader, which execve(2) mapped. They are relocated last.
  ///
  /// - Parameter entry: when the program's code began.
  func first(before entry: Int64) -> ArraySlice<Library> {
    guard let begin = libraries.first else { return [] }
    let own = libraries.prefix { $0.relocated < entry || $0 == begin }
    let isEarly = { (library: Library) in library.mapped <= begin.relocated && library.threadID == begin.threadID }
    guard let last = own.lastIndex(where: isEarly) else { return [] }
    var (start, mapped) = (last, own[last].mapped)
    while start > 0, own[start - 1].threadID == begin.threadID, own[start - 1].relocated >= mapped {
      start -= 1
      mapped = max(mapped, own[start].mapped)
    }
    return own[start...last]
  }
}

extension PerfEvents.Mapping {
  fileprivate func contains(_ other: Self) -> Bool {
    other.address >= address && other.length <= length && other.address - address <= length - other.length
  }
}
