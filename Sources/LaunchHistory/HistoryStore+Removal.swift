// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

extension HistoryStore {
  /// The launches that match a filter, in the order in which they were added. Their measurements are not read, and may be damaged.
  package func entries(
    _ filter: HistoryFilter = HistoryFilter()
  ) throws(HistoryError) -> [(id: Int64, key: HistoryKey, commit: String)] {
    try explained {
      let (condition, arguments) = Self.condition(filter)
      return try connection.rows(
        "SELECT id, program, machine, configuration, \"commit\" FROM launch WHERE \(condition) ORDER BY id", arguments
      ) { row in
        let key = HistoryKey(program: row.text(1), machine: row.text(2), configuration: row.text(3))
        return (row.integer(0), key, row.text(4))
      }
    }
  }

  /// Removes launches, all of them or none, and gives their space back to the disk. That takes room for a copy of the rest.
  /// Without it, the file keeps its size, and new launches use the space. Launches of baselines stay: another process may have
  /// named their commit since the caller looked.
  ///
  /// - Parameter ids: those of `entries`.
  /// - Returns: the number of launches that were removed.
  package func remove(_ ids: [Int64]) throws(HistoryError) -> Int {
    guard !ids.isEmpty else { return 0 }
    return try explained {
      let removed = try connection.transaction {
        var count = 0
        for id in ids {
          try connection.execute(
            "DELETE FROM launch WHERE id = ? AND \"commit\" NOT IN (SELECT \"commit\" FROM baseline)", [.integer(id)])
          count += connection.changes
        }
        return count
      }
      // Not within a transaction.
      try? connection.execute("VACUUM")
      return removed
    }
  }
}
