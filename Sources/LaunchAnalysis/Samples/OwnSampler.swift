internal import CLaunchSchema
internal import LaunchTrace

/// A sampler inside the program (`LaunchSampler`), as it says of itself in the trace.
///
/// It asks the thread that runs the main actor, and no other.
struct OwnSampler {
  /// Its clock goes on while a thread waits: its samples do not say that the thread ran.
  let samplesWaits: Bool
  /// No launcher took stacks, too: all are of the thread that ran the main actor.
  let isAlone: Bool

  /// nil for a trace without one.
  init?(_ trace: Trace) {
    guard let category = trace.strings.id(of: CategoryName.sampler)?.rawValue,
      let row = trace.instants.category.firstIndex(of: category)
    else { return nil }
    samplesWaits =
      AnnotationRow(trace, row: trace.instants.annotation[row]).string(LS_KEY_CLOCK) == LS_CLOCK_MONOTONIC
    isAlone = !Self.hasOthers(trace)
  }

  private static func hasOthers(_ trace: Trace) -> Bool {
    guard let category = trace.strings.id(of: CategoryName.launcher)?.rawValue else { return false }
    return trace.instants.category.indices.contains { row in
      trace.instants.category[row] == category
        && AnnotationRow(trace, row: trace.instants.annotation[row]).integer(LS_KEY_SAMPLE_RATE) ?? 0 > 0
    }
  }
}
