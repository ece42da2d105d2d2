// SPDX-License-Identifier: Apache-2.0

/// What happened to a thread at one instant.
public enum SwitchKind: UInt8, Sendable {
  /// It got a processor.
  case switchedIn
  /// It lost its processor while it had work to do (state R).
  case preempted
  /// It waits for something and can be interrupted (S): a lock, a timer, another process.
  case sleeping
  /// It waits and cannot be interrupted (D): a disk, a page that is read in.
  case uninterruptible
  /// It was stopped, by a signal or a debugger (T, t).
  case stopped
  /// It is gone (X, Z).
  case exited
}

/// Threads that get processors and leave them, ordered by time. At the same time, a thread that leaves comes first.
public struct SwitchTable: Sendable {
  /// Nanoseconds on the trace's clock.
  public internal(set) var time: [Int64] = []
  /// Thread track.
  public internal(set) var track: [Int32] = []
  public internal(set) var kind: [SwitchKind] = []
  /// The processor, from 0; 65,535 means 65,535 or more.
  public internal(set) var cpu: [UInt16] = []
  public init() {}
  public var count: Int { time.count }
}

/// Threads that other threads make ready to run, ordered by time.
public struct WakeupTable: Sendable {
  /// Nanoseconds on the trace's clock.
  public internal(set) var time: [Int64] = []
  /// The thread that is woken.
  public internal(set) var track: [Int32] = []
  /// The thread that woke it; -1 for a timer or a device, or if the trace does not say.
  public internal(set) var waker: [Int32] = []
  public init() {}
  public var count: Int { time.count }
}
