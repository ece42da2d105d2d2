// SPDX-License-Identifier: Apache-2.0

#if !Telemetry && !canImport(os)
// A program that uses these without the trait hears of it from the compiler.

/// Needs the trait `Telemetry` of the package (docs/telemetry.md).
@available(*, unavailable, message: "enable the package trait Telemetry: docs/telemetry.md")
public enum LaunchTelemetry {
  public static func report(_ summary: LaunchSummary) {}
}

/// Needs the trait `Telemetry` of the package (docs/telemetry.md).
@available(*, unavailable, message: "enable the package trait Telemetry: docs/telemetry.md")
public struct LaunchTracer {
  public init(forwardingTo real: Any? = nil) {}
}

/// Needs the trait `Telemetry` of the package (docs/telemetry.md).
@available(*, unavailable, message: "enable the package trait Telemetry: docs/telemetry.md")
public struct LaunchMetricsFactory {
  public init() {}
}
#endif
