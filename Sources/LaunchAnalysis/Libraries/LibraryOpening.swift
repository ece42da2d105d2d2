/// A dlopen during the launch.
public struct LibraryOpening: Sendable, Equatable {
  /// What came with it, in order.
  public var paths: [String]
  /// Nanoseconds on the trace's clock.
  public var start: Int64
  /// ns.
  public var duration: Int64
  /// Of the thread that did it; empty when it has none.
  public var thread: String
  public var threadID: Int32
  public var isOnMainThread: Bool
  /// `audit`: with relocations and initialisers; else only until all was mapped.
  public var source: Source
}
