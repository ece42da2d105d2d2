/// Which library costs what.
public struct LibraryTable: Sendable, Equatable {
  /// The worst first.
  public internal(set) var libraries: [LibraryCost] = []
  /// In order.
  public internal(set) var openings: [LibraryOpening] = []
  /// Whether each library's relocation was timed.
  public internal(set) var hasRelocations = false

  public var isEmpty: Bool { libraries.isEmpty && openings.isEmpty }
  /// ns, of all that were timed.
  public var relocation: Int64 { libraries.reduce(0) { $0 + ($1.relocation ?? 0) } }
}

extension LaunchTimeline {
  /// Collected anew each time.
  public var libraries: LibraryTable {
    var builder = LibraryTableBuilder(self)
    return builder.build()
  }
}
