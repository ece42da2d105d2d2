// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// The output of a build.
enum BuildLog {
  /// Characters.
  private static let longest = 200

  /// The first error in it, otherwise its last line: `compilation terminated.` says nothing.
  static func reason(in path: String) -> String {
    let lines = (fileText(path, limit: 16 << 20) ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.contains("error: ") }) ?? lines.last else { return "it said nothing" }
    return line.count > longest ? "\(line.prefix(longest))…" : String(line)
  }
}
