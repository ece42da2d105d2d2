// SPDX-License-Identifier: Apache-2.0

/// The rows of a table by track. Each track's rows are in the order of the table. It takes two passes and one array,
/// whatever the number of tracks.
struct RowsByTrack {
  /// By track: the end of its rows. Empty for an empty table.
  private var ends: [Int] = []
  private var rows: [Int32] = []

  /// - Parameter tracks: the track of each row.
  init(_ tracks: [Int32], trackCount: Int) {
    guard !tracks.isEmpty, trackCount > 0 else { return }
    var places = [Int](repeating: 0, count: trackCount + 1)
    for track in tracks where track >= 0 { places[Int(track) + 1] += 1 }
    for track in 1...trackCount { places[track] += places[track - 1] }
    rows = [Int32](repeating: 0, count: places[trackCount])
    for (row, track) in tracks.enumerated() where track >= 0 {
      rows[places[Int(track)]] = Int32(truncatingIfNeeded: row)
      places[Int(track)] += 1
    }
    ends = places
  }

  subscript(track: Int32) -> ArraySlice<Int32> {
    if ends.isEmpty || track < 0 { return [] }
    return rows[(track > 0 ? ends[Int(track) - 1] : 0)..<ends[Int(track)]]
  }
}
