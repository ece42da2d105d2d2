// SPDX-License-Identifier: Apache-2.0

/// The stacks of a profile, or of one of its threads, as rows of the trace's stacks.
struct FirefoxStacks {
  /// By stack.
  private var rows: [Int32] = []

  func row(of stack: Int32) -> Int32 { rows.indices.contains(Int(stack)) ? rows[Int(stack)] : -1 }

  /// - Parameters:
  ///   - tables: what has `stackTable`, `frameTable`, `funcTable` and `resourceTable`.
  ///   - sources: where functions name their files since version 58.
  init(
    _ tables: JSONView, strings: FirefoxStrings?, sources: JSONView?, libraries: [FirefoxLibrary],
    _ builder: inout TraceBuilder
  ) {
    let most = TraceLimits.frames(bytes: builder.bytes)
    let frames = Frames(tables, strings: strings, sources: sources, libraries: libraries, most: most)
    guard let table = tables["stackTable"], let frame = table["frame"]?.indices(most: most) else { return }
    // Since version 66: the distance to the caller's row.
    let offsets = table["prefixOffset"]?.indices(most: most)
    let prefixes = offsets ?? table["prefix"]?.indices(most: most) ?? []
    var depths = [UInt16](repeating: 0, count: frame.count)
    rows.reserveCapacity(frame.count)
    for stack in frame.indices {
      let prefix = stack < prefixes.count ? Int(prefixes[stack]) : -1
      let caller = offsets == nil ? prefix : prefix > 0 ? stack - prefix : -1
      if caller >= stack || caller < -1 { builder.trace.statistics.defects += 1 }
      let isCalled = (0..<stack).contains(caller)
      let above = isCalled ? rows[caller] : -1
      let depth = isCalled ? Int(depths[caller]) + 1 : 0
      depths[stack] = UInt16(min(depth, StackInterning.longestStack))
      guard depth < StackInterning.longestStack, let known = frames.frame(Int(frame[stack]), &builder) else {
        rows.append(above)
        continue
      }
      rows.append(builder.frame(caller: above, known))
    }
  }
}

/// Frames, and what they refer to.
private struct Frames {
  private let strings: FirefoxStrings?
  private let libraries: [FirefoxLibrary]
  private let function: [Int32]
  private let address: [Double]
  private let line: [Int32]
  private let frameLibrary: [Int32]
  private let name: [Int32]
  private let file: [Int32]
  private let resource: [Int32]
  private let resourceLibrary: [Int32]

  init(_ tables: JSONView, strings: FirefoxStrings?, sources: JSONView?, libraries: [FirefoxLibrary], most: Int) {
    self.strings = strings
    self.libraries = libraries
    let frames = tables["frameTable"]
    function = frames?["func"]?.indices(most: most) ?? []
    address = frames?["address"]?.numbers(most: most) ?? []
    line = frames?["line"]?.indices(most: most) ?? []
    frameLibrary = frames?["lib"]?.indices(most: most) ?? []
    let functions = tables["funcTable"]
    name = functions?["name"]?.indices(most: most) ?? []
    resource = functions?["resource"]?.indices(most: most) ?? []
    resourceLibrary = tables["resourceTable"]?["lib"]?.indices(most: most) ?? []
    if let names = sources?["filename"]?.indices(most: most) {
      file = (functions?["source"]?.indices(most: most) ?? []).map { names.at($0) }
    } else {
      file = functions?["fileName"]?.indices(most: most) ?? []
    }
  }

  /// nil for a frame that there is not.
  func frame(_ row: Int, _ builder: inout TraceBuilder) -> StackTable.Frame? {
    guard function.indices.contains(row) else { return nil }
    let called = function[row]
    let library = libraries.value(
      frameLibrary.isEmpty ? resourceLibrary.at(resource.at(called)) : frameLibrary.at(Int32(row)))
    var function = strings?.frameName(name.at(called), &builder) ?? .empty
    let file = strings?.frameName(file.at(called), &builder) ?? .empty
    let place = row < address.count && address[row] >= 0 && address[row] < 9e15 ? UInt64(address[row]) : 0
    // What samply writes has no names, but the address as text.
    if place > 0, library != nil, builder.trace.strings[function].lowercased() == "0x" + String(place, radix: 16) {
      function = .empty
    }
    if function == .empty, place == 0 { return StackTable.Frame(function: builder.string("(unknown)")) }
    return StackTable.Frame(
      function: function, image: library?.path ?? .empty, buildID: library?.buildID ?? .empty,
      // Useful only if the name is missing.
      address: function == .empty ? place : 0, file: file,
      line: file == .empty ? 0 : UInt32(max(0, line.at(Int32(row)))))
  }
}

extension [Int32] {
  /// -1 for a row that there is not.
  fileprivate func at(_ row: Int32) -> Int32 { indices.contains(Int(row)) ? self[Int(row)] : -1 }
}

extension Array {
  /// nil for a row that there is not.
  func value(_ row: Int32) -> Element? { indices.contains(Int(row)) ? self[Int(row)] : nil }
}
