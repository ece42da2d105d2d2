// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchObserver

/// The instructions of both programs of a live comparison, counted in launches of their own.
struct InstructionCounts {
  private var means = InstructionCounter.Means.callgrind
  private var counts: [RoundOrder.Side: [Int64?]] = [:]
  /// The signal by which the user asked to stop.
  var interruption: Int32?

  typealias Command = (program: String, arguments: [[UInt8]])

  /// Before any launch.
  init(interruption: Int32) { self.interruption = interruption }

  /// Launches of each side. A second one shows whether the counts repeat.
  private static let launches = 2

  /// - Parameter completed: adds to a request how it is launched.
  /// - Throws: `LaunchError` when a program cannot be launched.
  init(
    base: Command, head: Command, by counter: borrowing InstructionCounter,
    _ completed: (LaunchRequest) -> LaunchRequest, _ progress: inout some LiveProgress
  ) throws(LaunchError) {
    means = counter.means
    progress.tell("Counting instructions by \(means.rawValue), in \(Self.launches) launches of each side")
    for _ in 0..<Self.launches {
      for (side, command) in [(RoundOrder.Side.base, base), (.head, head)] {
        let request = completed(LaunchRequest(program: command.program, arguments: command.arguments))
        let count = try counter.count(request)
        counts[side, default: []].append(count.instructions)
        interruption = count.interruption
        // What failed once would fail again, and a simulated launch takes long.
        if interruption != nil || count.instructions == nil { return }
      }
    }
  }

  /// - Parameter launches: the recorded ones, which show how many threads the program has.
  func comparison(of launches: [Measurement], allowed: Double) -> InstructionComparison {
    InstructionComparison(
      means: means.rawValue, base: counts[.base] ?? [], head: counts[.head] ?? [],
      threads: launches.compactMap(\.threads).max(), allowed: allowed)
  }
}
