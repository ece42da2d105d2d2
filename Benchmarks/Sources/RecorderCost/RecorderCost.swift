// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import LaunchProfiler
import LaunchTelemetry
import Measuring

/// `RecorderCost off|shm|disk|memory|full ROUNDS SEED DIRECTORY`: measures one state of the recorder together with the
/// clocks, and prints rows as JSON. Each state has its own process, because a process can start to record only once.
@main
struct RecorderCost {
  let state: String
  let roundRobin: RoundRobin
  let directory: String
  let signposter = LaunchSignposter(subsystem: "org.example.bench", category: "recorder")

  /// Large enough that no burst fills the trace. `full` measures a full trace.
  static let limit = 4 << 30

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let rounds = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: RecorderCost off|shm|disk|memory|full ROUNDS SEED DIRECTORY\n".utf8))
      exit(64)
    }
    let bench = RecorderCost(
      state: arguments[1], roundRobin: RoundRobin(rounds: rounds, seed: seed), directory: arguments[4])
    // Not on the main actor: there every await would change threads.
    let rows = try await Task.detached { try await bench.run() }.value
    FileHandle.standardOutput.write(try JSONEncoder().encode(rows))
  }

  private func run() async throws -> [Row] {
    _ = cm_pin(cm_last_cpu())
    cm_touch_memory(512 << 20)
    try start()
    defer { LaunchProfiler.tracePath.map { _ = unlink($0) } }
    var rows: [Row]
    switch state {
    case "off": rows = await measureOff()
    case "full": rows = await measureFull()
    case "shm": rows = await measureEverything()
    default: rows = await measurePairs()
    }
    if state != "full", let dropped = LaunchProfiler.summary?.eventsDropped, dropped > 0 {
      throw Invalid("\(dropped) events were dropped: the figures of \(state) are those of a full trace")
    }
    LaunchProfiler.stop()
    return rows
  }

  private func start() throws {
    switch state {
    case "off": break
    case "memory": try LaunchProfiler.start(into: .memory, limit: Self.limit, stopsWhenCompleted: false)
    case "full":
      try LaunchProfiler.start(into: .memory, limit: 64 << 10, stopsWhenCompleted: false)
      Signposts.scoped(signposter, 10_000)
    default:
      let path = "\(directory)/launch-bench-\(getpid()).pftrace"
      try LaunchProfiler.start(into: .file(path), limit: Self.limit, stopsWhenCompleted: false)
    }
  }

  struct Invalid: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
