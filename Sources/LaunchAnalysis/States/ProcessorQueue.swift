// SPDX-License-Identifier: Apache-2.0

/// How long a launch waited for a processor: its main thread, or the threads whose work the main thread waited for, if that is
/// longer (D417).
struct ProcessorQueue: Sendable {
  /// Whether it is not the main thread's.
  let isOfOthers: Bool
  /// By thread, ns.
  private(set) var times: [Int32: Int64] = [:]
  /// When the longest wait began, ns.
  private(set) var start: Int64

  var total: Int64 { times.values.reduce(0, +) }

  init(_ context: AnalysisContext) {
    let (own, others) = (Self(context, isOfOthers: false), Self(context, isOfOthers: true))
    self = others.total > own.total ? others : own
  }

  private init(_ context: AnalysisContext, isOfOthers: Bool) {
    self.isOfOthers = isOfOthers
    start = context.bounds.lowerBound
    var longest = 0
    Self.forEachWait(of: context, isOfOthers: isOfOthers) { track, range in
      times[track, default: 0] += Int64(range.count)
      if range.count > longest { (longest, start) = (range.count, range.lowerBound) }
    }
  }

  /// Visits the waits until the launch's end, in order.
  static func forEachWait(
    of context: AnalysisContext, isOfOthers: Bool, _ body: (_ track: Int32, _ range: Range<Int64>) -> Void
  ) {
    if isOfOthers {
      for step in context.waiting.path.steps where step.state == .runnable && step.depth > 0 {
        // Older traces do not say when a thread was created.
        if context.histories.turns(of: step.track).birth <= step.start { body(step.track, step.start..<step.end) }
      }
      return
    }
    let states = context.states
    for row in 0..<states.count where states.state[row] == .runnable && states.start[row] < context.end {
      body(states.track[row], states.start[row]..<min(states.end(of: row), context.end))
    }
  }
}
