// SPDX-License-Identifier: Apache-2.0

import LaunchWire

extension ClickHouseUser {
  /// Of the user that the environment names: others can see arguments.
  static var headers: [(name: String, value: String)] {
    headers(name: environment("CLICKHOUSE_USER"), password: environment("CLICKHOUSE_PASSWORD"))
  }
}
