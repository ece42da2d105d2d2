/// A program to launch, and how.
public struct LaunchRequest: Sendable {
  /// A path, or a name to look up in `PATH` when it has no slash.
  public var program: String
  /// Without the program's own name; bytes, since they need not be UTF-8.
  public var arguments: [[UInt8]]
  /// Variables that are added to the launcher's environment, or replace what is there.
  public var environment: [String: String]
  /// ns until the program and all its descendants are ended; nil for never.
  ///
  /// Orphans among them come to the launching process, and cannot be told from children that it starts meanwhile: with
  /// a time-out it must start none.
  public var timeout: Int64?
  /// ns between SIGTERM and SIGKILL after a time-out.
  public var grace: Int64

  public init(
    program: String, arguments: [[UInt8]] = [], environment: [String: String] = [:], timeout: Int64? = nil,
    grace: Int64 = 2_000_000_000
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.timeout = timeout
    self.grace = grace
  }
}
