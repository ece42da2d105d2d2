// SPDX-License-Identifier: Apache-2.0

/// What each library cost.
package struct LibraryTable: Sendable, Equatable {
  /// In descending order of cost.
  package internal(set) var libraries: [LibraryCost] = []
  /// In order of time.
  package internal(set) var openings: [LibraryOpening] = []
  /// Whether each library's relocation was timed.
  package internal(set) var hasRelocations = false
  /// Whether initialisers were timed, so that a library without one has none.
  package internal(set) var hasInitializers = false
}

/// A dlopen during the launch.
package struct LibraryOpening: Sendable, Equatable {
  /// The libraries that it loaded, in order.
  package var paths: [String]
  /// Nanoseconds on the trace's clock.
  package var start: Int64
  /// ns.
  package var duration: Int64
  /// The thread that called dlopen; empty if it has no name.
  package var thread: String
  package var threadID: Int32
  package var isOnMainThread: Bool
  /// Where its times come from. `audit`: from the first library that it adds to the last initialiser. `breakpoint`:
  /// from its call to its return. `kernel`: from the first mapping to the last relocation.
  package var source: Source
  /// Its duration ends with the relocations, because the initialisers after them were not observed.
  package var lacksInitializers: Bool
}

extension LaunchTimeline {
  /// Collected again on each access.
  package var libraries: LibraryTable { LibraryTableBuilder(self).build() }
}
