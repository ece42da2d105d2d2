/// What one library cost a launch, up to its end.
public struct LibraryCost: Sendable, Equatable {
  /// Of the file.
  public var path: String
  /// How many times it was loaded.
  public var loads: Int
  /// Bytes that it takes in the address space; nil when nobody saw it mapped.
  public var size: Int64?
  /// ns to find and map it: from the library before it to itself; nil when the trace does not say.
  public var map: Int64?
  /// ns; nil when nobody timed each library's.
  public var relocation: Int64?
  /// ns, of all its initialisers; nil when nobody timed them.
  public var initialization: Int64?
  /// Initialisers that were timed.
  public var initializers: Int
  /// It came with a dlopen, and not with the program.
  public var isOpened: Bool

  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  /// All that is known, ns.
  public var total: Int64 { (map ?? 0) + (relocation ?? 0) + (initialization ?? 0) }
}
