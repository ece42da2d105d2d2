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
  /// `audit`: from the first library that it adds, to the last initialiser; `breakpoint`: from its call to its return; `kernel`:
  /// from the first mapping to the last relocation.
  public var source: Source
  /// It ends with the relocations: nobody saw the initialisers behind that.
  public var lacksInitializers: Bool
}
