// SPDX-License-Identifier: Apache-2.0

extension HistoryStore {
  /// Removes launches, all of them or none, and gives their space back to the disk. That takes room for a copy of the rest.
  /// Without it, the file keeps its size, and new launches use the space. Launches of baselines stay: another process may have
  /// named their commit since the caller looked.
  ///
  /// - Parameter ids: those of rows of this history.
  /// - Returns: the number of launches that were removed.
  package func remove(_ ids: [Int64]) throws(HistoryError) -> Int {
    guard !ids.isEmpty else { return 0 }
    return try explained { connection in
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
