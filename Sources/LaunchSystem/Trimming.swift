// SPDX-License-Identifier: Apache-2.0

extension Substring {
  /// Without the blanks and tabs around it.
  package var trimmed: String { String(drop(while: Self.isBlank).reversed().drop(while: Self.isBlank).reversed()) }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
