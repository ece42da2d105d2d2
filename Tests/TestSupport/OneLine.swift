// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The words with one blank between them. Where a page breaks its lines depends on the length of what it names.
  public var inOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
