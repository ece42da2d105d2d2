// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// How long the main thread ran in the kernel: in system calls, page faults and interrupts (D418).
///
/// The launcher samples a thread after each period of running, and keeps the samples of user code only. So the periods
/// without a sample were in the kernel.
package struct KernelTime: Sendable, Equatable {
  /// ns.
  package var time: Int64
  /// How far `time` may be off, ns: two standard deviations.
  package var error: Int64
  /// The running time that it is a part of, ns.
  package var running: Int64

  /// - Parameters:
  ///   - user: the weight of the samples, ns.
  ///   - period: the time between two samples, ns, more than 0.
  init(running: Int64, user: Int64, period: Int64) {
    self.running = running
    time = max(0, running - user)
    let ticks = Double(running) / Double(period)
    // With one sample more of each kind, a few ticks without a sample do not look like certainty.
    let share = min(1, (Double(user) / Double(period) + 1) / (ticks + 2))
    error = Int64(min(2 * (ticks * share * (1 - share)).squareRoot(), ticks) * Double(period))
  }

  /// Whether a reader learns anything from it.
  fileprivate var isTelling: Bool { time > error && error <= running / 4 }
}

extension LaunchTimeline {
  /// How long the main thread ran in the kernel during the launch. nil if the launcher took no such samples, or too few of them
  /// to tell.
  package var kernelTime: KernelTime? {
    context.madeKernelTime.value { kernelTime(in: start..<end).flatMap { $0.isTelling ? $0 : nil } }
  }

  /// The same of a part of the launch, however large its error is.
  func kernelTime(in range: Range<Int64>) -> KernelTime? {
    guard let period = userCodePeriod else { return nil }
    let (states, samples) = (states, trace.samples)
    let running = states.totals(from: range.lowerBound, to: range.upperBound)[.running]
    var user: Int64 = 0
    for sample in samples.time.places(from: range.lowerBound, to: range.upperBound) {
      let row = states.row(at: samples.time[sample])
      if states.state[row] == .running, states.track[row] == samples.track[sample] { user += period }
    }
    return KernelTime(running: running, user: user, period: period)
  }

  /// How far the launcher's samples of user code are apart, ns; nil if there are none, or other samples, or some are lost.
  private var userCodePeriod: Int64? {
    guard let observation, observation.sampleRate > 0, !observation.stopsForStacks, observation.lostSamples == 0,
      context.isWatched, states.isKnown, OwnSampler(trace) == nil
    else { return nil }
    // Without any sample, the trace does not say their unit.
    guard trace.samples.count == 0 || trace.sampleUnit == "ns" else { return nil }
    let period = 1_000_000_000 / Int64(observation.sampleRate)
    return period > 0 ? period : nil
  }
}
