// SPDX-License-Identifier: Apache-2.0

extension String {
  /// With a text in the place of some scalars. (A `"` with a combining accent is another Character, but still a quote.)
  func replacing(scalars: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += scalars[$1] ?? String($1) }
  }
}
