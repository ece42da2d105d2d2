// SPDX-License-Identifier: Apache-2.0

/// Index of a track in `Trace.tracks`.
public struct TrackID: Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A track of events: a thread, a process, an async track, or a counter.
public struct Track: Sendable {
  public enum Kind: Sendable {
    case thread
    case process
    /// Work that is not bound to one thread.
    case async
    case counter
  }

  /// The uuid of a thread's track in a Perfetto trace. Packets to append must use the same one.
  public var uuid: UInt64?
  public var kind: Kind
  /// The track's name in the trace: that of the thread, process, async track or counter.
  public var name: StringID
  /// Process id, 0 if the trace does not say.
  public var processID: Int32
  /// Thread id, 0 for tracks that are not a thread's.
  public var threadID: Int32
  /// The parent track.
  public var parent: TrackID?
  /// The unit of a counter track (`ns`, `count`, `bytes`, or the unit that the trace names).
  public var unit: StringID
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

  /// Readers count from here if a file gives a thread no number. No system has so many threads.
  package static let firstMadeID: Int32 = 0x4000_0000

  /// An id that no system uses, for names as ids, and for numbers that do not fit, such as those of `pthread_self`.
  static func madeID(_ name: StringID) -> Int32 { firstMadeID | Int32(truncatingIfNeeded: name.rawValue) }

  /// Its id says nothing to people, because a reader made it.
  package var hasMadeID: Bool { threadID >= Self.firstMadeID }

  /// On Linux, the id of the first thread is the id of the process.
  public var isMainThread: Bool { kind == .thread && threadID != 0 && threadID == processID }
}
