// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The names of a trace as CSV fields, by string id. Each is escaped once.
struct CSVNames {
  private var pool = TextPool()
  private var marks: [Marks] = []

  private struct Marks: OptionSet {
    let rawValue: UInt8
    static let needsQuotes = Marks(rawValue: 1)
    static let startsFormula = Marks(rawValue: 2)
  }

  init(_ strings: StringTable) {
    pool.reserve(strings.count)
    marks.reserveCapacity(strings.count)
    for row in 0..<strings.count {
      let name = PlainName.escaped(strings[StringID(rawValue: UInt32(row))], .pathSeparator)
      pool.append(CSVField.doubled(name))
      var mark: Marks = CSVField.needsQuotes(name) ? .needsQuotes : []
      if CSVField.startsFormula(name) { mark.insert(.startsFormula) }
      marks.append(mark)
    }
  }

  func needsQuotes(_ id: UInt32) -> Bool { marks[Int(id)].contains(.needsQuotes) }
  func startsFormula(_ id: UInt32) -> Bool { marks[Int(id)].contains(.startsFormula) }

  func length(_ id: UInt32) -> Int { pool.length(Int(id)) }

  @inline(__always)
  func append(_ id: UInt32, to output: inout OutputBuffer) { pool.write(Int(id), to: &output) }

  @inline(__always)
  func append(_ id: UInt32, to bytes: inout [UInt8]) { pool.write(Int(id), to: &bytes) }
}
