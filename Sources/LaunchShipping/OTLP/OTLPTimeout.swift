// SPDX-License-Identifier: Apache-2.0

/// The time that a request to an OpenTelemetry receiver may take, as `OTEL_EXPORTER_OTLP_TIMEOUT` says it.
package enum OTLPTimeout {
  /// Seconds, by default. The specification's 10 s are for programs whose users wait.
  package static let standard = 30.0
  /// Stands for no limit.
  static let longest = 86_400.0

  /// Seconds; nil for what is not a whole number of milliseconds. 0 means no limit.
  package static func seconds(_ text: String) -> Double? {
    guard let milliseconds = Int64(text), milliseconds >= 0 else { return nil }
    return milliseconds == 0 ? longest : min(Double(milliseconds) / 1000, longest)
  }
}
