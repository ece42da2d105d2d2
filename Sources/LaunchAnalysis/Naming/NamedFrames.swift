// SPDX-License-Identifier: Apache-2.0

internal import LaunchSymbols
package import LaunchTrace

extension Trace {
  /// The trace with stacks as the program's developers know them. Frames have the names of the trace's symbols, and
  /// inlined functions have their own frames. Names are demangled. Functions that Swift's compiler derived from a
  /// function have the name of that function (`FunctionName`).
  package func withNamedFrames() -> Trace {
    if stacks.count == 0 { return self }
    var frames = NamedFrames(self)
    var named = self
    let rows = frames.build()
    named.strings = frames.strings
    named.stacks = frames.stacks
    if let rows {
      named.samples.moveStacks(to: rows)
      named.waitStacks.moveStacks(to: rows)
    }
    named.standardFunctions = frames.standardFunctions
    return named
  }
}

/// Builds the stacks again, with names.
private struct NamedFrames {
  private let trace: Trace
  private(set) var strings: StringTable
  private(set) var stacks = StackTable()
  private(set) var standardFunctions: Set<String> = []

  /// By frame of the trace: the functions at its address, outermost first. They are frames of `stacks`.
  private var functions: [Range<Int32>] = []
  /// By frame of `stacks`.
  private var isThunk: [Bool] = []
  /// Symbols (a range of `trace.moduleSymbols`) by place, and the functions of those that were looked up.
  private var symbols: [ImageAddress: Range<Int>] = [:]
  private var inlined: [ImageAddress: Range<Int32>] = [:]
  /// Names to show, by the names in the trace.
  private var names: [UInt32: (string: StringID, isThunk: Bool)] = [:]

  private struct ImageAddress: Hashable {
    var image: UInt32
    var buildID: UInt32
    var address: UInt64
  }

  /// The largest number of inlined functions at one address.
  private static let deepestInlining = 128
  /// How many rows may be added for inlined functions, because a file could demand many in each of a million stacks.
  private var room: Int

  init(_ trace: Trace) {
    self.trace = trace
    strings = trace.strings
    room = 1 << 20 + trace.stacks.count
    var first = 0
    while first < trace.moduleSymbols.count {
      let symbol = trace.moduleSymbols[first]
      let end =
        trace.moduleSymbols[first...].firstIndex {
          $0.address != symbol.address || $0.buildID != symbol.buildID || $0.path != symbol.path
        } ?? trace.moduleSymbols.count
      // If a place occurs twice, the later entry is the better one.
      if let image = strings.id(of: symbol.path), let buildID = strings.id(of: symbol.buildID) {
        symbols[ImageAddress(image: image.rawValue, buildID: buildID.rawValue, address: symbol.address)] = first..<end
      }
      first = end
    }
  }

  /// Names the frames. The new row of each sample's row, unless all stay; nil then.
  mutating func build() -> [Int32]? {
    for frame in trace.stacks.frames { functions.append(functions(of: frame)) }
    if !isThunk.contains(true), functions.indices.allSatisfy({ functions[$0] == Int32($0)..<Int32($0) + 1 }) {
      (stacks.caller, stacks.frame) = (trace.stacks.caller, trace.stacks.frame)
      return nil
    }
    return buildRows()
  }

  private mutating func buildRows() -> [Int32] {
    // By old row: the new row for a sample that ends there, and the new row below which its callees come.
    var (innermost, callers): ([Int32], [Int32]) = ([], [])
    for row in 0..<trace.stacks.count {
      let caller = trace.stacks.caller[row]
      var below = caller < 0 ? -1 : callers[Int(caller)]
      var isThunk = false
      let functions = functions[Int(trace.stacks.frame[row])]
      // A thunk says nothing that the next function does not. It is left out, unless a sample was taken in it.
      for function in room > 0 ? functions : functions.suffix(1) {
        if isThunk { below = stacks.caller[Int(below)] }
        isThunk = self.isThunk[Int(function)]
        below = stacks.append(caller: below, frame: function)
      }
      room -= functions.count - 1
      innermost.append(below)
      callers.append(isThunk ? stacks.caller[Int(below)] : below)
    }
    return innermost
  }

  private mutating func functions(of frame: StackTable.Frame) -> Range<Int32> {
    let place = ImageAddress(image: frame.image, buildID: frame.buildID, address: frame.address)
    if let known = inlined[place] { return known }
    guard let range = symbols[place] else { return add([frame]) }
    let functions = trace.moduleSymbols[range.prefix(Self.deepestInlining)].reversed().map { symbol in
      var named = frame
      named.function = strings.intern(symbol.function).rawValue
      named.file = strings.intern(symbol.file).rawValue
      named.line = UInt32(clamping: symbol.line)
      return named
    }
    let added = add(functions)
    inlined[place] = added
    return added
  }

  /// Adds frames with the names to show.
  private mutating func add(_ frames: [StackTable.Frame]) -> Range<Int32> {
    let first = Int32(truncatingIfNeeded: stacks.frames.count)
    for var frame in frames {
      let name = name(of: frame.function)
      frame.function = name.string.rawValue
      stacks.frames.append(frame)
      isThunk.append(name.isThunk)
    }
    return first..<Int32(truncatingIfNeeded: stacks.frames.count)
  }

  private mutating func name(of function: UInt32) -> (string: StringID, isThunk: Bool) {
    if let known = names[function] { return known }
    let text = strings[StringID(rawValue: function)]
    let parts = FunctionName(Demangler.demangle(text))
    let string = parts.text == text ? StringID(rawValue: function) : strings.intern(parts.text)
    names[function] = (string, parts.isThunk)
    if parts.isOfStandardLibrary { standardFunctions.insert(parts.text) }
    return (string, parts.isThunk)
  }
}
