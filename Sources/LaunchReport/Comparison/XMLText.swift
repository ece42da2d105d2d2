// SPDX-License-Identifier: Apache-2.0

/// Text for XML 1.0.
enum XMLText {
  /// Escapes markup. Characters that XML does not allow are written like in Swift.
  static func escaped(_ text: String) -> String { PlainName.escaped(text).replacing(scalars: entities) }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
  ]
}
