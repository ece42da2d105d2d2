/// What the launcher did to the page cache before a launch.
package struct Eviction: Sendable, Equatable {
  /// A file of which something stayed in memory.
  package struct Kept: Sendable, Equatable {
    package var path: String
    package var bytes: Int64
    package var residentBytes: Int64
    /// For people.
    package var reason: String
  }

  /// The files that were to leave.
  package var files: Int
  /// Their sizes.
  package var bytes: Int64
  /// Files of which the kernel did not say whether they left.
  package var unknown: Int
  package var kept: [Kept]
}
