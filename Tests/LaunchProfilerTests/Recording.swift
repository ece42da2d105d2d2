// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchProfiler
import LaunchTrace
import Testing

/// The recording of the test process. A process records only once, so all tests share it and look for their own names.
enum Recording {
  static let signposter = LaunchSignposter(subsystem: "com.example.tests", category: "recorder")

  /// Starts recording into memory on first use.
  static let isStarted: Bool = {
    do {
      try LaunchProfiler.start(
        into: .memory, limit: 256 << 20,
        budgets: LaunchBudgets(
          interval: .milliseconds(16),
          intervals: Dictionary(
            uniqueKeysWithValues: [("strict", .milliseconds(1)), ("lenient", .seconds(60))]
              + (0..<2_000).map { ("many \($0)", .milliseconds(1)) }),
          phases: ["strict-phase": .milliseconds(1)], milestones: ["late": .nanoseconds(1)],
          when: [
            .init(
              reason: "of-tests", intervals: ["conditional": .milliseconds(1)],
              phases: ["conditional-phase": .milliseconds(1), "more-conditional-phase": .seconds(60)],
              milestones: ["conditional-late": .nanoseconds(1)]),
            .init(reason: "of-tests", context: "of-tests", phases: ["more-conditional-phase": .milliseconds(1)]),
            .init(reason: "of-others", phases: ["others-phase": .nanoseconds(1)]),
          ]),
        stopsWhenCompleted: false)
      return true
    } catch {
      Issue.record("cannot start: \(error)")
      return false
    }
  }()

  /// The content of the trace after `body`.
  static func record<T>(_ body: () throws -> T) throws -> (T, RecordedTrace) {
    try #require(isStarted)
    let result = try body()
    return (result, try RecordedTrace())
  }

  static func record<T>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T) async throws -> (
    T, RecordedTrace
  ) {
    try #require(isStarted)
    let result = try await body()
    return (result, try RecordedTrace())
  }
}

/// A trace that is read back, accessed by name.
struct RecordedTrace {
  let trace: Trace

  init() throws {
    let bytes = try #require(LaunchProfiler.copyTrace())
    trace = try bytes.withUnsafeBytes { try TraceReader().read(bytes: $0) }
    #expect(trace.diagnostics.isEmpty)
    #expect(!trace.statistics.truncated)
  }

  func slices(named name: String) -> [SliceIndex] {
    guard let id = trace.strings.id(of: name) else { return [] }
    return trace.slices.name.indices.filter { trace.slices.name[$0] == id.rawValue }
  }

  func instants(named name: String, where matches: (Int) -> Bool = { _ in true }) -> [Int] {
    guard let id = trace.strings.id(of: name) else { return [] }
    return trace.instants.name.indices.filter { trace.instants.name[$0] == id.rawValue && matches($0) }
  }

  func slice(named name: String) throws -> SliceIndex {
    let found = slices(named: name)
    try #require(found.count == 1, "\(found.count) slices named \(name)")
    return found[0]
  }

  func track(of slice: SliceIndex) -> Track { trace.tracks[Int(trace.slices.track[slice])] }
  func category(of slice: SliceIndex) -> String { trace.strings[StringID(rawValue: trace.slices.category[slice])] }

  func annotations(of slice: SliceIndex) -> [String: AnnotationValue] {
    annotations(row: trace.slices.annotation[slice])
  }
  func annotations(ofInstant instant: Int) -> [String: AnnotationValue] {
    annotations(row: trace.instants.annotation[instant])
  }

  private func annotations(row: UInt32) -> [String: AnnotationValue] {
    var found: [String: AnnotationValue] = [:]
    for entry in trace.annotations[row] { found[trace.strings[entry.key]] = entry.value }
    return found
  }

  /// The budget flags of this name.
  func overBudget(_ name: String) -> [[String: AnnotationValue]] {
    instants(named: "over-budget").map { annotations(ofInstant: $0) }.filter { $0["interval"] == .string(name) }
  }
}

/// Keeps the calling thread busy until it has had a processor for a time, however busy the machine is.
func burnProcessorTime(nanoseconds: Int) {
  func used() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
  let end = used() + nanoseconds
  while used() < end {}
}

/// Keeps the calling thread busy.
func burn(_ duration: Duration) {
  let clock = ContinuousClock()
  let end = clock.now + duration
  while clock.now < end {}
}
