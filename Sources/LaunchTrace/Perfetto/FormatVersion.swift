// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema

/// The version of what our recorder and command write into a trace (docs/trace-format.md).
enum FormatVersion {
  static let newest = UInt64(LS_FORMAT)

  /// Rejects a trace that a newer version wrote, because its meaning is unknown to this version.
  static func check(_ trace: Trace, path: String) throws(TraceError) {
    guard let key = trace.strings.id(of: LS_KEY_FORMAT) else { return }
    for category in [LS_CATEGORY_RECORDER, LS_CATEGORY_LAUNCHER] {
      guard let id = trace.strings.id(of: category)?.rawValue else { continue }
      for row in 0..<trace.instants.count where trace.instants.category[row] == id {
        guard case .uint(let version)? = trace.annotations.value(row: trace.instants.annotation[row], key: key),
          version > newest
        else { continue }
        throw TraceError(
          .unsupportedVersion, path: path,
          message:
            "was written in format \(version) of \(category), but this launchprof reads only up to \(newest); update launchprof"
        )
      }
    }
  }
}
