// SPDX-License-Identifier: Apache-2.0

/// How many records were read, how many of them do not count, and why.
package struct FleetCensus: Sendable, Equatable {
  package var files = 0
  package var lines = 0
  /// Launches that count, before any were drawn from them.
  package var launches = 0
  /// Lines that are not a JSON object, or longer than a record may be.
  package var garbage = 0
  /// Last lines that were cut off.
  package var torn = 0
  /// JSON objects that are not launch records.
  package var foreign = 0
  /// Records of a format version that this program does not know.
  package var newer = 0
  /// Whole files that are reports of launchprof, as of the day before.
  package var reports = 0
  package var duplicates = 0
  /// Records without a valid id: they count, but duplicates cannot be found.
  package var withoutID = 0
  /// Launches that could not be checked for duplicates, because there were too many before them.
  package var unchecked = 0
  /// Records whose times are impossible: negative, or longer than a day. They do not count.
  package var impossible = 0
  /// Records whose wall clock was wrong: before 2010, in the future, or no time at all. They count.
  package var wrongClock = 0
  /// Records that the question leaves out.
  package var filtered = 0
  /// Failed launches among them that do not know a column by which the question selects launches, and these columns.
  package var failedUnknown = 0
  package var unknownColumns: Set<String> = []
  /// Columns and metrics beyond the limits, and fields beyond the names of fields that are known.
  package var droppedColumns = 0
  package var droppedMetrics = 0
  package var droppedFields = 0
  /// Values that became `(other)`, and those of which only the beginning is kept.
  package var otherValues = 0
  package var cutValues = 0
  /// Compressed files that ended early, or were broken.
  package var damagedFiles = 0
  /// The first file, and the line in it, that has something that is not a record of this version; nil for none.
  package var firstUnread: String?
  /// Launches from histograms. Their times are only as exact as the buckets are narrow.
  package var fromHistograms = 0
  package var unreadableHistograms = 0
  /// Launches that were drawn at random of all; nil when all are there.
  package var drawn: Int?
  /// Launches whose `exec` and `relocate` count as `load`, because other records do not divide them.
  package var joinedLoads = 0
  /// Whether times were counted by bins (`TimeBin`).
  package var isBinned = false

  package init() {}

  /// How often there was something else than a record of this version, by kind: the first kinds of `sentences`.
  private var unreadKinds: [Int] { [damagedFiles, garbage, torn, foreign, newer, reports] }
  var unread: Int { unreadKinds.reduce(0, +) }

  /// Sentences for people, the grave ones first.
  package var sentences: [String] {
    let counted: [(Int, String, String)] = [
      (damagedFiles, "compressed file ends early or is broken", "compressed files end early or are broken"),
      (garbage, "line is not a record", "lines are not records"),
      (torn, "last line is cut off", "last lines are cut off"),
      (foreign, "line is JSON of another kind", "lines are JSON of another kind"),
      (newer, "record is of a newer format and left out", "records are of a newer format and left out"),
      (reports, "file is a report of launchprof and left out", "files are reports of launchprof and left out"),
      (impossible, "record has an impossible time and is left out", "records have impossible times and are left out"),
      (duplicates, "duplicate is counted once", "duplicates are counted once"),
      (withoutID, "record has no valid id", "records have no valid id"),
      (unchecked, "launch could not be checked for duplicates", "launches could not be checked for duplicates"),
      (wrongClock, "launch has a wrong wall clock", "launches have a wrong wall clock"),
      (
        droppedColumns, "column is left out, because there are more than \(FleetTableBuilder.mostLabels)",
        "columns are left out, because there are more than \(FleetTableBuilder.mostLabels)"
      ),
      (
        droppedMetrics, "metric is left out, because there are more than \(FleetTableBuilder.mostMetrics)",
        "metrics are left out, because there are more than \(FleetTableBuilder.mostMetrics)"
      ),
      (
        droppedFields, "field is left out, because the fields have too many names",
        "fields are left out, because the fields have too many names"
      ),
      (
        cutValues, "value is cut to \(LabelColumn.longestValue) bytes",
        "values are cut to \(LabelColumn.longestValue) bytes"
      ),
      (
        otherValues, "value is (other), because its column has too many values",
        "values are (other), because their columns have too many values"
      ),
      (
        unreadableHistograms, "histogram has an unknown unit and is left out",
        "histograms have unknown units and are left out"
      ),
      (
        fromHistograms,
        "launch comes from a histogram: it is as exact as its bucket, and not part of the share that failed",
        "launches come from histograms: they are as exact as their buckets, and not part of the share that failed"
      ),
      (
        joinedLoads, "launch has exec and relocate: they count as load, which is all that other records have",
        "launches have exec and relocate: they count as load, which is all that other records have"
      ),
    ]
    var result = counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    let kinds = unreadKinds.count { $0 > 0 }
    if let firstUnread, kinds > 0 { result[kinds - 1] += " (\(unread == 1 ? "" : "the first: ")\(firstUnread))" }
    if failedUnknown > 0 {
      let (launches, have) = failedUnknown == 1 ? ("launch", "has") : ("launches", "have")
      let columns = unknownColumns.sorted().joined(separator: " or ")
      result.insert(
        "\(failedUnknown) failed \(launches) \(have) no \(columns), and \(failedUnknown == 1 ? "does" : "do") not count",
        at: 0)
    }
    if let drawn { result.insert("\(drawn) of \(launches) launches were drawn at random, and only these count", at: 0) }
    if isBinned { result.append("times are counted in bins: percentiles are exact to 0.1 %") }
    return result
  }
}
