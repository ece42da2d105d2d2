// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import CoreMetrics
internal import LaunchProfiler
import Synchronization

/// Records into the launch trace what libraries measure while the launch is recorded, as values over time.
///
/// ```swift
/// MetricsSystem.bootstrap(MultiplexMetricsHandler(factories: [LaunchMetricsFactory(), prometheus]))
/// ```
/// The trace has at most 256 counters, each with its own name. A metric with dimensions has one name for each
/// combination of their values.
public struct LaunchMetricsFactory: MetricsFactory {
  public init() {}

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    RecordedMetric.named(label, dimensions)
  }
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { RecordedMetric.named(label, dimensions) }
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    RecordedMetric.named(label, dimensions)
  }
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { RecordedMetric.named(label, dimensions) }
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    RecordedMetric.named(label, dimensions, unit: .nanoseconds)
  }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}
}

/// A metric as a counter of the trace: the sum of what was added, or the last value.
private final class RecordedMetric: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
  TimerHandler
{
  private let name: String
  private let unit: LaunchCounterUnit
  private let value = Mutex(0.0)

  /// The trace has no more counters.
  private static let most = 256
  private static let known = Mutex<[String: RecordedMetric]>([:])

  private init(_ name: String, _ unit: LaunchCounterUnit) { (self.name, self.unit) = (name, unit) }

  /// Always the same metric for a name: libraries make a `Counter` wherever they count.
  static func named(
    _ label: String, _ dimensions: [(String, String)], unit: LaunchCounterUnit = .count
  ) -> RecordedMetric {
    let more = dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    let name = more.isEmpty ? label : "\(label){\(more)}"
    return known.withLock { known in
      if let metric = known[name] { return metric }
      let metric = RecordedMetric(name, unit)
      if known.count < most { known[name] = metric }
      return metric
    }
  }

  private func change(_ change: (inout Double) -> Void) {
    // Otherwise another thread could record a later value first.
    value.withLock { value in
      change(&value)
      LaunchProfiler.counter(name, value: value, unit: unit)
    }
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
#endif
