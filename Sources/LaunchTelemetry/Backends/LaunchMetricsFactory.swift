// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import CoreMetrics

/// Records into the launch trace what libraries measure while the launch is recorded, as values over time.
///
/// ```swift
/// MetricsSystem.bootstrap(MultiplexMetricsHandler(factories: [LaunchMetricsFactory(), prometheus]))
/// ```
/// The trace has at most 256 counters, each with its own name. A metric with dimensions has one name for each
/// combination of their values. While nothing is recorded, a change of a metric costs one load and one branch.
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
#endif
