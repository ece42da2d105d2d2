// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchProfiler
import LaunchTelemetry

/// A program with an async `main`, for the end-to-end tests. Its first argument says what it does.
@main
struct AsyncProgram {
  static let signposter = LaunchSignposter(subsystem: "test.async", category: "launch")

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "query": await query()
    case "phase": await phase()
    case "hop": await hop()
    case "budgets": try await BudgetScript(arguments.dropFirst().first ?? "").run()
    case "overdue": try overdue()
    case "beside": try await beside()
    default: print("modes: query, phase, hop, budgets, overdue, beside")
    }
  }

  /// The launch is one query. The main actor does little of it.
  static func query() async {
    await signposter.withIntervalSignpost("query") {
      burn(milliseconds: 5)
      // Not on the main actor.
      await Task.detached { await pause(milliseconds: 60) }.value
      burn(milliseconds: 5)
    }
    LaunchProfiler.mark(.ready)
  }

  /// The same, as a phase of the program.
  static func phase() async {
    await LaunchProfiler.phase(LaunchPhase("load-catalogue")) {
      await Task.detached {
        await signposter.withIntervalSignpost("fetch") { await pause(milliseconds: 40) }
      }.value
    }
    LaunchProfiler.mark(.ready)
  }

  /// A phase awaits work of another thread, after the main actor has left the first thread.
  @MainActor static func hop() async {
    await pause(milliseconds: 5)
    await LaunchProfiler.phase(LaunchPhase("load-catalogue")) {
      await Task.detached { signposter.withIntervalSignpost("decode") { burn(milliseconds: 40) } }.value
    }
    LaunchProfiler.mark(.ready)
  }

  /// Never becomes ready. Prints the summary of its launch. On a busy machine, all of it may take a second.
  static func overdue() throws {
    try LaunchProfiler.start(deadline: .seconds(3)) { summary in
      printSummary(summary)
      exit(0)
    }
    LaunchProfiler.metadata(version: "7.1")
    signposter.withIntervalSignpost("before the deadline") { burn(milliseconds: 1) }
    while true { sleep(1) }
  }

  /// Other threads work: first while the main actor works, too, and then while it awaits them.
  @MainActor static func beside() async throws {
    try LaunchProfiler.start { printSummary($0) }
    await pause(milliseconds: 1)
    let finished = DispatchSemaphore(value: 0)
    let work = Task.detached {
      signposter.withIntervalSignpost("beside") { burn(milliseconds: 20) }
      finished.signal()
    }
    spin(until: finished)
    await work.value
    await Task.detached { signposter.withIntervalSignpost("awaited") { burn(milliseconds: 20) } }.value
    LaunchProfiler.mark(.ready)
  }

  static func spin(until semaphore: DispatchSemaphore) { while semaphore.wait(timeout: .now()) == .timedOut {} }

  static func printSummary(_ summary: LaunchSummary) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = (try? encoder.encode(summary)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    print(text)
    fflush(nil)
  }

  static func pause(milliseconds: Int64) async { try? await Task.sleep(for: .milliseconds(milliseconds)) }

  static func burn(milliseconds: Int64) {
    let end = ContinuousClock().now + .milliseconds(milliseconds)
    while ContinuousClock().now < end {}
  }
}
