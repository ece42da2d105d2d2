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

extension LaunchTimeline {
  /// Collected again on each access.
  package var libraries: LibraryTable { LibraryTableBuilder(self).build() }
}
