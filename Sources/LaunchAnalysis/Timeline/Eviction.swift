/// What the launcher did to the page cache before a launch.
public struct Eviction: Sendable, Equatable {
  /// A file of which something stayed in memory.
  public struct Kept: Sendable, Equatable {
    public var path: String
    public var bytes: Int64
    public var residentBytes: Int64
    /// For people.
    public var reason: String
  }

  /// The files that were to leave.
  public var files: Int
  /// Their sizes.
  public var bytes: Int64
  /// Files of which the kernel did not say whether they left.
  public var unknown: Int
  public var kept: [Kept]
}
