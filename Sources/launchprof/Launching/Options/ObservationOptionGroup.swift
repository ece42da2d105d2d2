// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// How much is observed from outside.
struct ObservationOptionGroup: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stack samples per second of CPU time (default: \(ObservationOptions.standardSampleRate), at most \(ObservationOptions.mostSamples)).",
      valueName: "hz"))
  var sampleRate: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bytes of the stack that each sample copies to find callers without frame pointers (default: \(ObservationOptions.standardStackBytes), at most \(ObservationOptions.mostStackBytes), 0: frame pointers only).",
      valueName: "bytes"))
  var stackBytes: Int?

  @Flag(help: "Take no stack samples.")
  var noSamples = false

  @Flag(help: "Also record the processes that the program starts.")
  var follow = false

  @Flag(help: "Do not observe the program from outside: no states, no samples.")
  var noObservation = false

  func validate() throws {
    if noObservation, follow { throw ValidationError("--follow: cannot follow processes with --no-observation.") }
    if noSamples || noObservation, let option = givenForSamples.first {
      throw ValidationError(
        "\(option): no samples are taken with \(noSamples ? "--no-samples" : "--no-observation"); leave out one of both."
      )
    }
    if let sampleRate, !(0...ObservationOptions.mostSamples).contains(sampleRate) {
      throw ValidationError("--sample-rate \(sampleRate): expected 0 to \(ObservationOptions.mostSamples) per second.")
    }
    if let stackBytes, !(0...ObservationOptions.mostStackBytes).contains(stackBytes) {
      throw ValidationError("--stack-bytes \(stackBytes): expected 0 to \(ObservationOptions.mostStackBytes).")
    }
  }

  /// The option with which no samples are taken; nil if they are.
  var optionAgainstSamples: String? {
    noObservation ? "--no-observation" : noSamples ? "--no-samples" : sampleRate == 0 ? "--sample-rate 0" : nil
  }

  private var givenForSamples: [String] {
    (sampleRate != nil ? ["--sample-rate"] : []) + (stackBytes != nil ? ["--stack-bytes"] : [])
  }

  /// Options that were given and that only perf events can fulfil.
  ///
  /// - Parameter hasStacks: whether there are stacks without perf events.
  func optionsOfTheObserver(hasStacks: Bool) -> [String] {
    (follow ? ["--follow"] : []) + (hasStacks ? [] : givenForSamples)
  }

  func options(_ detail: DetailOptions) -> ObservationOptions {
    let rate = noSamples ? 0 : sampleRate ?? ObservationOptions.standardSampleRate
    return ObservationOptions(
      sampleRate: rate, stackBytes: stackBytes ?? Self.stackBytes(at: rate), followsChildren: follow,
      asksScheduler: detail.asksScheduler, stopsForStacks: detail.stopsForStacks, runtime: detail.runtime,
      isOff: noObservation)
  }

  /// The kernel's memory for samples holds some 30 copies of the standard size. With more samples per second they are smaller, so
  /// that the launcher has the time to empty it.
  private static func stackBytes(at rate: Int) -> Int {
    let standard = ObservationOptions.standardStackBytes
    return rate <= ObservationOptions.standardSampleRate
      ? standard : max(2048, standard * ObservationOptions.standardSampleRate / rate)
  }
}
