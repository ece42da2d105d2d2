/// A launch in the history.
public struct HistoryRow: Sendable {
  public var id: Int64
  /// Seconds since 1970, when it was added.
  public var added: Int64
  public var key: HistoryKey
  public var commit: String
  public var measurement: Measurement

  public init(id: Int64, added: Int64, key: HistoryKey, commit: String, measurement: Measurement) {
    self.id = id
    self.added = added
    self.key = key
    self.commit = commit
    self.measurement = measurement
  }
}

/// What launches must have in common to be one series.
public struct HistoryKey: Sendable, Hashable {
  /// File name of the program.
  public var program: String
  /// The machine's name.
  public var machine: String
  /// What the user calls the way of building and running: `release`, `cold`, …
  public var configuration: String

  public init(program: String, machine: String, configuration: String) {
    self.program = program
    self.machine = machine
    self.configuration = configuration
  }
}
