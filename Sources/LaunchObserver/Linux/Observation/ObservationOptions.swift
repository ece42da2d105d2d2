// SPDX-License-Identifier: Apache-2.0

/// How much of a launch is observed from outside.
package struct ObservationOptions: Sendable, Equatable {
  /// Stack samples per second of CPU time, 0 for none.
  package var sampleRate: Int
  /// Bytes of the stack that each sample copies, to find callers without frame pointers; 0 for none.
  package var stackBytes: Int
  /// Also keep what descendants of the program did.
  package var followsChildren: Bool
  /// Record from the kernel's scheduler what threads wait for, and who ends their waits. Needs CAP_PERFMON and tracefs,
  /// and costs the command some tens of milliseconds.
  package var asksScheduler: Bool
  /// Where perf events are not allowed: stop the main thread with ptrace(2) to take its stack samples (D312).
  package var stopsForStacks: Bool
  /// The parts of Swift's runtime to watch: by probes (root), otherwise by breakpoint instructions.
  package var runtime: Set<RuntimeDetail>
  /// True to observe nothing. There are then only the launcher's time stamps, and what the program records itself.
  package var isOff: Bool

  package static let standardSampleRate = 1000
  /// perf's own default limit is ten times as high. More samples would cost the program too much for what they add.
  package static let mostSamples = 10_000

  /// CPU time between two samples, ns; nil for no samples.
  var samplePeriod: Int64? { sampleRate > 0 ? Int64(1_000_000_000 / sampleRate) : nil }

  package static let standardStackBytes = 16_384
  /// A record of the kernel holds 64 KiB in all.
  package static let mostStackBytes = 57_344

  package init(
    sampleRate: Int = Self.standardSampleRate, stackBytes: Int = Self.standardStackBytes, followsChildren: Bool = false,
    asksScheduler: Bool = false, stopsForStacks: Bool = false, runtime: Set<RuntimeDetail> = [], isOff: Bool = false
  ) {
    self.sampleRate = min(max(0, sampleRate), Self.mostSamples)
    self.stackBytes = min(max(0, stackBytes), Self.mostStackBytes)
    self.followsChildren = followsChildren
    self.asksScheduler = asksScheduler
    self.stopsForStacks = stopsForStacks
    self.runtime = runtime
    self.isOff = isOff
  }
}
