/// How much of a launch is observed from outside.
package struct ObservationOptions: Sendable, Equatable {
  /// Stack samples a second of CPU time, 0 for none.
  package var sampleRate: Int
  /// Keep what descendants of the program did, too.
  package var followsChildren: Bool
  /// Have the kernel's scheduler say what threads wait for and who ends their waits. Needs CAP_PERFMON and tracefs, and
  /// costs the command some tens of milliseconds.
  package var asksScheduler: Bool
  /// What of Swift's runtime is watched: by probes (root), else by breakpoint instructions.
  package var runtime: Set<RuntimeDetail>
  /// Nothing is observed: the launcher's stamps, and what the program records itself, are all there is.
  package var isOff: Bool

  package static let standardSampleRate = 1000
  /// perf's own default limit is ten times that; more costs the program more than it tells.
  package static let mostSamples = 10_000

  package init(
    sampleRate: Int = Self.standardSampleRate, followsChildren: Bool = false, asksScheduler: Bool = false,
    runtime: Set<RuntimeDetail> = [], isOff: Bool = false
  ) {
    self.sampleRate = min(max(0, sampleRate), Self.mostSamples)
    self.followsChildren = followsChildren
    self.asksScheduler = asksScheduler
    self.runtime = runtime
    self.isOff = isOff
  }
}
