// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchComparison
import LaunchObserver
import LaunchReport

extension LaunchingOptions {
  /// - Parameters:
  ///   - versus: the command of the base; nil to measure the program alone.
  ///   - agent: to be loaded into the program; nil for none.
  ///   - conditions: what each launch is to find.
  ///   - messages: what launchprof already told about launches.
  func bench(
    _ program: PassedCommand, versus: PassedCommand?, maxRuns: Int?, _ options: ComparisonOptions,
    agent: LoaderAgent? = nil,
    conditions: LaunchConditions = LaunchConditions(), telling messages: LaunchMessages = LaunchMessages()
  ) -> LiveBench {
    LiveBench(
      program: program.program, arguments: program.arguments, versus: versus.map { ($0.program, $0.arguments) },
      maxRuns: maxRuns, options: options,
      complete: { [timeout, readiness, quiet] request in
        request.timeout = timeout?.nanoseconds
        readiness.apply(to: &request, runs: 2, isQuiet: quiet, telling: messages)
      },
      makeRecorder: { request, place throws(LaunchError) in
        let images = ImageDescriptions()
        // Taking samples would disturb the measurement.
        return try LaunchRecorder(
          request, to: place, conditions: conditions, version: Version.current,
          observation: ObservationOptions(sampleRate: 0),
          context: RecordingContext(describeImage: images.description), agent: agent)
      })
  }
}

extension LiveBench {
  /// - Throws: `TraceError`; `ExitCode`, after printing why.
  func run(isQuiet: Bool) throws -> (result: GateResult, interruption: Int32?) {
    do { return try run(telling: ShownProgress(isQuiet: isQuiet)) } catch let error as LaunchError {
      // A program that cannot be launched is a launch that failed.
      let status: Int32 =
        switch error.code {
        case .cannotWrite, .cannotCount: CommandStatus.failure
        // What is missing is an option.
        case .keepsRunning: CommandStatus.usage
        default: 3
        }
      throw fail(error, status: status)
    }
  }

  /// Launches both programs in turns, and keeps no trace.
  ///
  /// - Parameter inPlace: gets the reason if the programs cannot be launched from copies.
  /// - Throws: `ExitCode`, after printing why; `Interruption`; what `inPlace` throws.
  func comparison(
    isQuiet: Bool, inPlace: (String) throws -> Void,
    failing: (_ failed: [Measurement], _ summary: String) -> any Error = { fail($1, status: 3) }
  ) throws -> LaunchComparison {
    let directory = try TemporaryTraces()
    var bench = self
    bench.traces = directory.path
    let (result, interruption) = try bench.run(isQuiet: isQuiet)
    _ = consume directory
    try endIfInterrupted(by: interruption)
    if let reason = result.launchedInPlace { try inPlace(reason) }
    if !result.failed.isEmpty {
      let copies =
        result.launchedInPlace == nil ? ". They were of copies, which find no other files beside themselves" : ""
      throw failing(result.failed, FailedLaunches(result.failed).summary + copies)
    }
    guard let comparison = result.comparison, !result.launches.isEmpty else {
      throw fail(result.stopped ?? "no launch counts", status: 3)
    }
    return comparison
  }
}

/// Warns if launches had no input, because one of them read all of it. For verbs that do not print the result of a bench.
func tellOfLostInput() {
  if let loss = RepeatedInput.loss { tell("warning: \(loss)") }
}
