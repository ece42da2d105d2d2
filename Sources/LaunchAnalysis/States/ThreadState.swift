/// What a thread did at an instant: exactly one of these.
package enum ThreadState: UInt8, Sendable, CaseIterable {
  /// On a processor.
  case running
  /// It had work to do, and no processor.
  case runnable
  /// A disk, or a page that had to be read in.
  case blocked
  /// A lock that another thread held.
  case lock
  /// A timer; also every wait of which the trace tells no more than that it was one (the kernel's state S).
  case sleeping
  /// Another thread or process: a message, a condition, a child's end.
  case waiting
  /// The trace does not say.
  case unknown

  /// The word of reports and files. Stable.
  package var name: String {
    switch self {
    case .running: "running"
    case .runnable: "runnable"
    case .blocked: "blocked-io"
    case .lock: "lock"
    case .sleeping: "sleeping"
    case .waiting: "waiting"
    case .unknown: "unknown"
    }
  }

  /// The same for people.
  package var title: String {
    switch self {
    case .running: "running"
    case .runnable: "waiting for a CPU"
    case .blocked: "blocked in I/O"
    case .lock: "waiting for a lock"
    case .sleeping: "sleeping"
    case .waiting: "waiting for others"
    case .unknown: "unknown"
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
  /// What is known not to be running.
  package var waited: Int64 { sum - self[.running] - self[.unknown] }
  package var isKnown: Bool { sum > self[.unknown] }
}
