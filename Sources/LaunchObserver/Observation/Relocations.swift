/// When the loader was done with each library's relocations: then it takes the right to write from what only they change
/// (PT_GNU_RELRO), which the kernel tells as a mapping of its own.
///
/// The rights are taken in the order in which libraries are relocated. One that has nothing to protect is not among them.
struct Relocations {
  struct Library: Equatable {
    var path: String
    var threadID: Int32
    /// Its data became writable: the loader had mapped it.
    var mapped: Int64
    /// CLOCK_MONOTONIC, ns.
    var relocated: Int64
  }

  private(set) var libraries: [Library] = []

  private enum Protection {
    static let write: UInt32 = 2
    static let execute: UInt32 = 4
  }

  /// - Parameter mappings: of data, of one process and of one of its programs, in order.
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

  /// Those that came with the program: all are mapped before the first is relocated. What an initialiser opens comes later.
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
