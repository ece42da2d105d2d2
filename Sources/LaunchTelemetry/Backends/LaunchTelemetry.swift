// SPDX-License-Identifier: Apache-2.0

#if Telemetry && !canImport(os)
import CoreMetrics
internal import LaunchProfiler
import Logging
import Tracing

/// Reports a finished launch to the program's backends: metrics, a log line, and a span.
///
/// ```swift
/// try LaunchProfiler.start(deadline: .seconds(10)) { summary in
///   Task.detached { LaunchTelemetry.report(summary) }
/// }
/// ```
/// docs/telemetry.md lists the names. Every member is safe from any thread.
public enum LaunchTelemetry {
  /// Reports a launch. Call it after the backends are bootstrapped, but not on a thread that the launch needs.
  ///
  /// - Parameters:
  ///   - summary: the launch.
  ///   - dimensions: more dimensions for every metric, for example a region. Each should have few different values.
  ///   - logger: gets one line: a notice, or a warning if the launch was over a budget or not complete.
  ///   - tracer: gets a span for the launch, and one for each phase that occurred exactly once, at its true time. nil for
  ///     the bootstrapped tracer.
  ///   - metrics: gets timers and counters. nil for the bootstrapped factory.
  public static func report(
    _ summary: LaunchSummary, dimensions: [(String, String)] = [], logger: Logger = Logger(label: "launchprof"),
    tracer: (any Tracer)? = nil, metrics: (any MetricsFactory)? = nil
  ) {
    let launch = ReportedLaunch(summary: summary)
    launch.count(in: metrics ?? MetricsSystem.factory, dimensions)
    launch.log(to: logger)
    launch.trace(with: tracer ?? InstrumentationSystem.tracer)
  }
}
#endif
