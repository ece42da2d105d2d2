// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// A sampler inside the program (`LaunchSampler`), as described in the trace.
///
/// It samples only the thread that runs the main actor.
struct OwnSampler {
  /// Its clock runs also while a thread waits, so its samples do not show that the thread ran.
  let samplesWaits: Bool
  /// The launcher took no stacks: all samples are of the thread that ran the main actor.
  let isAlone: Bool

  /// nil for a trace without such a sampler.
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
