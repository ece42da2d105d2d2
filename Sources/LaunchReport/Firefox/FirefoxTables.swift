// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// The tables that all threads of a profile share: strings, stacks, frames, functions, libraries.
struct FirefoxTables {
  private struct Function: Hashable {
    var name: Int32
    var library: Int32
    var source: Int32
  }

  private struct Frame: Hashable {
    var address: Int64
    var function: Int32
    var line: UInt32
    var isKernel: Bool
  }

  private struct Library: Hashable {
    var path: String
    var buildID: String
  }

  /// The stacks of one trace.
  private struct Stacks {
    var table: StackTable
    /// The row of its first stack.
    var first: Int64
    /// By place in the table's frames: a row of `frames`, -1 for a frame without a stack.
    var rows: [Int32]
  }

  private var strings: NumberedStrings
  private var libraries = NumberedRows<Library>()
  private var sources = NumberedRows<Int32>()
  private var functions = NumberedRows<Function>()
  private var frames = NumberedRows<Frame>()
  private var stacks: [Stacks] = []

  /// - Parameter strings: those of a trace, which most of the profile's strings may be.
  init(_ strings: StringTable) { self.strings = NumberedStrings(strings) }

  mutating func string(_ string: String) -> Int32 { strings.row(of: string) }

  /// Adds the stacks of a trace; its row 0 becomes the row that this returns.
  mutating func addStacks(_ trace: Trace) -> Int64 {
    let first = stacks.last.map { $0.first + Int64($0.table.count) } ?? 0
    var rows = [Int32](repeating: -1, count: trace.stacks.frames.count)
    for row in 0..<trace.stacks.count {
      let place = Int(trace.stacks.frame[row])
      if rows[place] < 0 { rows[place] = add(trace.stacks[row], name: trace.name(ofFrame: row), trace) }
    }
    stacks.append(Stacks(table: trace.stacks, first: first, rows: rows))
    return first
  }

  /// JavaScript counts to 2^53.
  private static let largest: UInt64 = 1 << 53

  private mutating func add(_ frame: StackTable.Frame, name: String, _ trace: Trace) -> Int32 {
    let image = trace.strings[StringID(rawValue: frame.image)]
    let file = trace.strings[StringID(rawValue: frame.file)]
    let buildID = trace.strings[StringID(rawValue: frame.buildID)]
    let function = Function(
      name: string(name), library: image.isEmpty ? -1 : libraries.row(of: Library(path: image, buildID: buildID)),
      source: file.isEmpty ? -1 : sources.row(of: string(file)))
    let isAddress = frame.address > 0 && frame.address <= Self.largest
    return frames.row(
      of: Frame(
        address: isAddress ? Int64(frame.address) : -1, function: functions.row(of: function), line: frame.line,
        isKernel: image.hasPrefix("[kernel")))
  }
}

// MARK: Writing

extension FirefoxTables {
  mutating func write(to json: inout JSONWriter) {
    // Names of libraries are strings, too: they come before those are written.
    let names = libraries.values.map { string(fileName($0.path)) }
    json.objects("libs", libraries.values) { Self.write($1, to: &$0) }
    json.array("pages") { _ in }
    json.object("shared") { json in
      json.object("stackTable") { json in
        json.column("frame", stacks.lazy.flatMap { stacks in stacks.table.frame.lazy.map { stacks.rows[Int($0)] } })
        json.nullableColumn(
          "prefix",
          stacks.lazy.flatMap { stacks in stacks.table.caller.lazy.map { $0 < 0 ? -1 : stacks.first + Int64($0) } })
        json.value("length", stacks.reduce(0) { $0 + $1.table.count })
      }
      json.object("frameTable") { writeFrames(to: &$0) }
      json.object("funcTable") { writeFunctions(to: &$0) }
      json.object("resourceTable") { json in
        json.column("lib", names.indices)
        json.column("name", names)
        json.nullableColumn("host", names.lazy.map { _ in -1 })
        json.column("type", names.lazy.map { _ in 1 })
        json.value("length", names.count)
      }
      json.object("nativeSymbols") { json in
        for column in ["libIndex", "address", "name", "functionSize"] { json.array(column) { _ in } }
        json.value("length", 0)
      }
      json.object("sources") { json in
        json.nullableColumn("uuid", sources.values.lazy.map { _ in -1 })
        json.column("filename", sources.values)
        json.value("length", sources.values.count)
      }
      json.texts("stringArray", strings.values)
    }
  }

  private func writeFrames(to json: inout JSONWriter) {
    let frames = frames.values
    json.column("address", frames.lazy.map(\.address))
    json.column("inlineDepth", frames.lazy.map { _ in 0 })
    json.column(
      "category", frames.lazy.map { ($0.isKernel ? FirefoxCategory.kernel : FirefoxCategory.program).rawValue })
    json.column("subcategory", frames.lazy.map { _ in 0 })
    json.column("func", frames.lazy.map(\.function))
    for column in ["nativeSymbol", "innerWindowID"] { json.nullableColumn(column, frames.lazy.map { _ in -1 }) }
    json.nullableColumn("line", frames.lazy.map { $0.line > 0 ? Int64($0.line) : -1 })
    json.nullableColumn("column", frames.lazy.map { _ in -1 })
    json.value("length", frames.count)
  }

  private func writeFunctions(to json: inout JSONWriter) {
    let functions = functions.values
    json.column("name", functions.lazy.map(\.name))
    for column in ["isJS", "relevantForJS"] {
      json.array(column) { json in
        for _ in functions { json.value(nil, false) }
      }
    }
    json.column("resource", functions.lazy.map(\.library))
    json.nullableColumn("source", functions.lazy.map(\.source))
    for column in ["lineNumber", "columnNumber"] { json.nullableColumn(column, functions.lazy.map { _ in -1 }) }
    json.value("length", functions.count)
  }

  private static func write(_ library: Library, to json: inout JSONWriter) {
    let name = fileName(library.path)
    json.values([
      "arch": "", "name": name, "path": library.path, "debugName": name, "debugPath": library.path,
      "breakpadId": "",
    ])
    if library.buildID.isEmpty { json.null("codeId") } else { json.value("codeId", library.buildID) }
  }
}
