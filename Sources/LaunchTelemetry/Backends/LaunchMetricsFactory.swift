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
    RecordedMetric(label, dimensions)
  }
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { RecordedMetric(label, dimensions) }
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    RecordedMetric(label, dimensions)
  }
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { RecordedMetric(label, dimensions) }
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    RecordedMetric(label, dimensions, unit: .nanoseconds)
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

  init(_ label: String, _ dimensions: [(String, String)], unit: LaunchCounterUnit = .count) {
    let more = dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
    name = more.isEmpty ? label : "\(label){\(more)}"
    self.unit = unit
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
