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
    guard let row = trace.instants(of: CategoryName.sampler).first else { return nil }
    samplesWaits = trace.annotations(ofInstant: row).string(LS_KEY_CLOCK) == LS_CLOCK_MONOTONIC
    isAlone = trace.instants(of: CategoryName.launcher).allSatisfy {
      trace.annotations(ofInstant: $0).integer(LS_KEY_SAMPLE_RATE) ?? 0 <= 0
    }
  }
}
