// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import CoreMetrics
internal import LaunchProfiler
import Synchronization

/// A metric of a library: a counter of the trace. It looks its counter up when it first changes while a launch is recorded.
/// Libraries make a metric wherever they count, also for each request that they serve long after the launch.
final class RecordedMetric: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  private let label: String
  private let dimensions: [(String, String)]
  private let unit: LaunchCounterUnit
  /// nil until it is looked up; then nil inside if the trace has no more counters.
  private let counter = Mutex<RecordedCounter??>(nil)
  /// It only repeats what the trace says (`LaunchTelemetry.report`).
  private let isOfLaunch: Bool

  init(_ label: String, _ dimensions: [(String, String)], unit: LaunchCounterUnit = .count) {
    (self.label, self.dimensions, self.unit) = (label, dimensions, unit)
    isOfLaunch = label.hasPrefix("app.vitals.start.")
  }

  private func change(_ change: (inout Double) -> Void) {
    // In a fork, which records nothing, a thread that does not exist any more may hold a lock for ever.
    guard LaunchProfiler.isRecording, !isOfLaunch else { return }
    let counter = counter.withLock { counter in
      if let counter { return counter }
      let found = RecordedCounter.named(label, dimensions, unit)
      counter = .some(found)
      return found
    }
    counter?.change(change)
  }

  func increment(by amount: Int64) { change { $0 += Double(amount) } }
  func increment(by amount: Double) { change { $0 += amount } }
  func decrement(by amount: Double) { change { $0 -= amount } }
  func reset() { change { $0 = 0 } }
  func set(_ value: Int64) { change { $0 = Double(value) } }
  func set(_ value: Double) { change { $0 = value } }
  func record(_ value: Int64) { change { $0 = Double(value) } }
  func record(_ value: Double) { change { $0 = value } }
  func recordNanoseconds(_ duration: Int64) { change { $0 = Double(duration) } }
}

/// The sum of what was added, or the last value, of all metrics with one name.
private final class RecordedCounter: Sendable {
  private let name: String
  private let unit: LaunchCounterUnit
  private let value = Mutex(0.0)

  /// The trace has no more counters.
  private static let most = 256
  private static let known = Mutex<[String: RecordedCounter]>([:])

  private init(_ name: String, _ unit: LaunchCounterUnit) { (self.name, self.unit) = (name, unit) }

  /// nil if the trace has no more counters.
  static func named(_ label: String, _ dimensions: [(String, String)], _ unit: LaunchCounterUnit) -> RecordedCounter? {
    let more = dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    let name = more.isEmpty ? label : "\(label){\(more)}"
    return known.withLock { known in
      if let counter = known[name] { return counter }
      guard known.count < most else { return nil }
      let counter = RecordedCounter(name, unit)
      known[name] = counter
      return counter
    }
  }

  func change(_ change: (inout Double) -> Void) {
    // Otherwise another thread could record a later value first.
    value.withLock { value in
      change(&value)
      LaunchProfiler.counter(name, value: value, unit: unit)
    }
  }
}
#endif
