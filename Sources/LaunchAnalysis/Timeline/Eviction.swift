// SPDX-License-Identifier: Apache-2.0

/// What the launcher did to the page cache before a launch.
package struct Eviction: Sendable, Equatable {
  /// A file that partly stayed in memory.
  package struct Kept: Sendable, Equatable {
    package var path: String
    package var bytes: Int64
    package var residentBytes: Int64
    /// For people.
    package var reason: String
  }

  /// Number of files to evict.
  package var files: Int
  /// Their total size.
  package var bytes: Int64
  /// Files for which the kernel did not say whether they left.
  package var unknown: Int
  /// Other files that the program then opened. They may have been in memory. nil if that is not known.
  package var missed: Int?
  package var kept: [Kept]
}
