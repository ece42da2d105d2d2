/// Index of a track in `Trace.tracks`.
public struct TrackID: Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Where events lie: a thread, a process, an async lane, a counter.
public struct Track: Sendable {
  public enum Kind: Sendable {
    case thread
    case process
    /// A lane of work that is not bound to one thread.
    case async
    case counter
  }

  public var kind: Kind
  /// The track's name as the trace gives it: the thread's, process's, lane's or counter's.
  public var name: StringID
  /// Process id, 0 if the trace does not say.
  public var processID: Int32
  /// Thread id, 0 for tracks that are not a thread's.
  public var threadID: Int32
  /// The track that this one lies under.
  public var parent: TrackID?
  /// The unit of a counter track (`ns`, `count`, `bytes`, or what the trace says).
  public var unit: StringID
  /// What a Perfetto trace calls a thread's track: packets to append must use the same.
  public var uuid: UInt64?

  public init(
    kind: Kind, name: StringID = .empty, processID: Int32 = 0, threadID: Int32 = 0, parent: TrackID? = nil,
    unit: StringID = .empty
  ) {
    self.kind = kind
    self.name = name
    self.processID = processID
    self.threadID = threadID
    self.parent = parent
    self.unit = unit
  }

  /// Linux: the first thread's id equals the process's.
  public var isMainThread: Bool { kind == .thread && threadID != 0 && threadID == processID }
}
