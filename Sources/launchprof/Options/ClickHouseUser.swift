// SPDX-License-Identifier: Apache-2.0

/// Who asks a ClickHouse server, by the environment: others can see arguments.
enum ClickHouseUser {
  static var headers: [(name: String, value: String)] {
    let named = [("X-ClickHouse-User", "CLICKHOUSE_USER"), ("X-ClickHouse-Key", "CLICKHOUSE_PASSWORD")]
    return named.compactMap { name, variable in environment(variable).flatMap { isHeader($0) ? (name, $0) : nil } }
  }

  /// A line end would begin another header.
  static func isHeader(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
