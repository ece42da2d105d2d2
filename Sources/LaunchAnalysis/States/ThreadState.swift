// SPDX-License-Identifier: Apache-2.0

/// What a thread did at an instant: exactly one of these states.
package enum ThreadState: UInt8, Sendable, CaseIterable {
  /// On a processor.
  case running
  /// It had work to do, but no processor.
  case runnable
  /// It waited for a disk, or for a page that had to be read.
  case blocked
  /// It waited for a lock that another thread held.
  case lock
  /// It waited for a timer. Also every wait about which the trace says nothing else (the kernel's state S).
  case sleeping
  /// It waited for another thread or process: a message, a condition, a child's end.
  case waiting
  /// The trace does not say.
  case unknown
  /// A signal, a debugger, or a breakpoint instruction of the launcher stopped it.
  case stopped

  /// Those in which the thread waited for something other than a processor.
  package static let waits: [ThreadState] = [.blocked, .lock, .sleeping, .waiting]

  /// The name in reports and files. Stable.
  package var name: String {
    switch self {
    case .running: "running"
    case .runnable: "runnable"
    case .blocked: "blocked-io"
    case .lock: "lock"
    case .sleeping: "sleeping"
    case .waiting: "waiting"
    case .unknown: "unknown"
    case .stopped: "stopped"
    }
  }

  /// The name for people.
  package var title: String {
    switch self {
    case .running: "running"
    case .runnable: "waiting for a CPU"
    case .blocked: "blocked in I/O"
    case .lock: "waiting for a lock"
    // A system call beside it may show a sleep: the kernel's state S is that of any wait.
    case .sleeping: "sleeping or waiting"
    case .waiting: "waiting for others"
    case .unknown: "unknown"
    case .stopped: "stopped"
    }
  }
}

/// Time by state, ns.
package struct StateTotals: Sendable, Equatable {
  private var times = [Int64](repeating: 0, count: ThreadState.allCases.count)

  package init() {}

  package subscript(state: ThreadState) -> Int64 {
    get { times[Int(state.rawValue)] }
    set { times[Int(state.rawValue)] = newValue }
  }

  package var sum: Int64 { times.reduce(0, +) }
  /// All time that is known not to be running.
  package var waited: Int64 { sum - self[.running] - self[.unknown] }
  package var isKnown: Bool { sum > self[.unknown] }
  /// Time in which the thread was held up: other programs had the processor, or it was stopped.
  package var heldUp: Int64 { self[.runnable] + self[.stopped] }
}
