// SPDX-License-Identifier: Apache-2.0

extension PropertyList: CustomStringConvertible {
  /// The value as a text like JSON, with the escapes of Swift's strings. Of data, it has only the size.
  public var description: String { text(depth: 0) }

  private func text(depth: Int) -> String {
    guard depth < 64 else { return "…" }
    return switch self {
    case .string(let text): text.debugDescription
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .data(let content): "<\(content.count) bytes>"
    case .array(let values): "[" + values.map { $0.text(depth: depth + 1) }.joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{"
        + entries.sorted { $0.key < $1.key }
        .map { "\($0.key.debugDescription): \($0.value.text(depth: depth + 1))" }.joined(separator: ", ") + "}"
    }
  }
}
