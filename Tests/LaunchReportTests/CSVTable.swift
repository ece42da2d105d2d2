// SPDX-License-Identifier: Apache-2.0

/// Reads a table strictly by RFC 4180.
struct CSVTable {
  let header: [String]
  let rows: [[String]]

  /// nil if the text breaks the grammar: a bare CR or LF, a misplaced quote, or a last line without an end.
  init?(_ text: String) {
    var records: [[String]] = []
    var record: [String] = []
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      var field = String.UnicodeScalarView()
      if scalars[place] == "\"" {
        place += 1
        while true {
          guard place < scalars.count else { return nil }
          if scalars[place] == "\"" {
            guard place + 1 < scalars.count, scalars[place + 1] == "\"" else { break }
            place += 1
          }
          field.append(scalars[place])
          place += 1
        }
        place += 1
      } else {
        while place < scalars.count, scalars[place] != ",", scalars[place] != "\r" {
          if scalars[place] == "\"" || scalars[place] == "\n" { return nil }
          field.append(scalars[place])
          place += 1
        }
      }
      record.append(String(field))
      guard place < scalars.count else { return nil }
      if scalars[place] == "," {
        place += 1
        continue
      }
      guard scalars[place] == "\r", place + 1 < scalars.count, scalars[place + 1] == "\n" else { return nil }
      place += 2
      records.append(record)
      record = []
    }
    guard record.isEmpty, let header = records.first else { return nil }
    self.header = header
    rows = Array(records.dropFirst())
  }

  func column(_ name: String) -> [String] {
    header.firstIndex(of: name).map { column in rows.map { $0[column] } } ?? []
  }

  func numbers(_ name: String) -> [Int64] { column(name).map { Int64($0) ?? .min } }
}
