// SPDX-License-Identifier: Apache-2.0

internal import CLaunchObserver

/// Counts the instructions that a program executes from its start to its end, with its threads and children. The number does not
/// depend on how busy the machine is.
package struct InstructionCounter: ~Copyable {
  package enum Means: String, Sendable {
    /// A counter of the processor, in user mode.
    case hardware
    /// valgrind's callgrind, which executes the program in a simulated processor.
    case callgrind
  }

  /// What one launch came to.
  package struct Count: Sendable {
    /// nil if the launch failed.
    package var instructions: Int64?
    package var interruption: Int32?
  }

  package let means: Means
  private let launcher: ProgramLauncher
  private let directory: CountDirectory
  /// A signal that asked the launcher to stop while it tried the counter.
  private let interruption: Int32?

  /// How many times longer a launch may take in the simulated processor.
  private static let slowdown: Int64 = 50

  /// Random seeds of hash tables would make each launch another one.
  private static let steady = ["SWIFT_DETERMINISTIC_HASHING": "1", "PYTHONHASHSEED": "0"]

  /// - Throws: `LaunchError.cannotCount` if there is neither a counter in the processor nor valgrind.
  package init() throws(LaunchError) {
    let directory = try CountDirectory()
    let launcher = try ProgramLauncher()
    let (means, interruption) = try Self.available(to: launcher)
    self.means = means
    self.interruption = interruption
    self.directory = directory
    self.launcher = launcher
  }

  /// What counts on this machine, and a signal that asked the launcher to stop meanwhile. Some virtual machines have a counter
  /// that stays at zero, so it is tried.
  static func available(
    to launcher: borrowing ProgramLauncher, counting: lo_counted = LO_COUNT_INSTRUCTIONS,
    trial: LaunchRequest = LaunchRequest(program: "true")
  ) throws(LaunchError) -> (Means, interruption: Int32?) {
    var problem = "it counts nothing"
    do throws(LaunchError) {
      let counter = try ProcessorCounter(counting)
      let result = try launch(trial, by: launcher)
      if let signal = result.interruption { return (.hardware, signal) }
      if try counter.read() > 0 { return (.hardware, nil) }
    } catch { problem = error.message }
    guard ProgramSearch("valgrind").firstExecutable == nil else { return (.callgrind, nil) }
    throw LaunchError(
      .cannotCount, path: "",
      message: "cannot count instructions: the processor's counter is not available (\(problem)), and valgrind is not "
        + "installed: apt-get install valgrind")
  }

  /// Asks for the last signal that asked the launcher to stop, as long as the counter lives.
  package var askForSignal: () -> Int32? {
    { [interruption, pending = launcher.interruption] in interruption ?? pending() }
  }

  /// Launches the program once.
  ///
  /// - Throws: `LaunchError` when it cannot be launched, or its count cannot be read.
  package func count(_ request: LaunchRequest) throws(LaunchError) -> Count {
    if let interruption { return Count(instructions: nil, interruption: interruption) }
    var request = request
    request.environment.merge(Self.steady) { $1 }
    switch means {
    case .hardware:
      let counter = try ProcessorCounter(LO_COUNT_INSTRUCTIONS)
      let result = try Self.launch(request, by: launcher)
      let isCounted = result.succeeded && result.interruption == nil
      return Count(instructions: isCounted ? try counter.read() : nil, interruption: result.interruption)
    case .callgrind:
      directory.clear()
      let result = try Self.launch(Self.simulated(request, in: directory.path), by: launcher)
      let isCounted = result.succeeded && result.interruption == nil
      return Count(instructions: isCounted ? directory.sum() : nil, interruption: result.interruption)
    }
  }

  private static func launch(
    _ request: LaunchRequest, by launcher: borrowing ProgramLauncher
  ) throws(LaunchError) -> LaunchResult {
    var result = try launcher.launch(request)
    result.interruption = result.interruption ?? launcher.pendingInterruption()
    return result
  }

  /// An hour, ns.
  private static let longestSimulation: Int64 = 3_600_000_000_000

  /// The same launch in the simulated processor, which writes its files to a directory.
  static func simulated(_ request: LaunchRequest, in directory: String) -> LaunchRequest {
    var request = request
    let options = [
      "--quiet", "--tool=callgrind", "--trace-children=yes", "--log-file=\(directory)/log.%p",
      "--callgrind-out-file=\(directory)/\(CountDirectory.prefix)%p",
    ]
    request.arguments =
      options.map { Array($0.utf8) } + [request.programBytes ?? Array(request.program.utf8)]
      + request.arguments
    (request.program, request.programBytes) = ("valgrind", nil)
    func slower(_ time: Int64) -> Int64 { min(time, .max / slowdown) * slowdown }
    request.timeout = request.timeout.map(slower)
    // A program that hangs would hold a CI job.
    request.longest = request.longest.map { min(slower($0), max($0, longestSimulation)) }
    // A server works on after it listens. What it does until it is ended must not depend on the time.
    request.settle = request.settle.map(slower)
    request.lingeringLimit = request.lingeringLimit.map(slower)
    // To write its file after SIGTERM, it needs longer than the program.
    request.grace = 30_000_000_000
    return request
  }
}
