/// Which library costs what.
package struct LibraryTable: Sendable, Equatable {
  /// The worst first.
  package internal(set) var libraries: [LibraryCost] = []
  /// In order.
  package internal(set) var openings: [LibraryOpening] = []
  /// Whether each library's relocation was timed.
  package internal(set) var hasRelocations = false

  package var isEmpty: Bool { libraries.isEmpty && openings.isEmpty }
  /// ns, of all that were timed.
  package var relocation: Int64 { libraries.reduce(0) { $0 + ($1.relocation ?? 0) } }
}

extension LaunchTimeline {
  /// Collected anew each time.
  package var libraries: LibraryTable {
    var builder = LibraryTableBuilder(self)
    return builder.build()
  }
}
