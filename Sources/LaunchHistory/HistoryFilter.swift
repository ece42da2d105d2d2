/// Which launches of the history are meant; nil is any.
public struct HistoryFilter: Sendable, Equatable {
  public var program: String?
  public var machine: String?
  public var configuration: String?
  /// The commit, or the beginning of one.
  public var commit: String?

  public init(program: String? = nil, machine: String? = nil, configuration: String? = nil, commit: String? = nil) {
    self.program = program
    self.machine = machine
    self.configuration = configuration
    self.commit = commit
  }
}

/// A name for the launches of a commit.
public struct HistoryBaseline: Sendable, Equatable {
  public var name: String
  public var commit: String
}
