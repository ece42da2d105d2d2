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
    frames.build()
    var named = self
    named.strings = frames.strings
    named.stacks = frames.stacks
    named.samples.moveStacks(to: frames.innermost)
    named.standardFunctions = frames.standardFunctions
    return named
  }
}

/// Builds the stacks again, with names.
private struct NamedFrames {
  private let trace: Trace
  private(set) var strings: StringTable
  private(set) var stacks = StackTable()
  /// By old row: the new row for a sample that ends there, and the new row below which its callees come.
  private(set) var innermost: [Int32] = []
  private var callers: [Int32] = []
  private(set) var standardFunctions: Set<String> = []

  /// Symbols (a range of `trace.moduleSymbols`) by place.
  private var symbols: [ImageAddress: Range<Int>] = [:]
  /// Names to show, by the names in the trace.
  private var names: [UInt32: Name] = [:]

  private struct ImageAddress: Hashable {
    var image: UInt32
    var buildID: UInt32
    var address: UInt64
  }

  private struct Name {
    var string: StringID
    var isThunk: Bool
  }

  /// The largest number of inlined functions at one address. The factor limits the growth of all frames together,
  /// because a file could demand a thousand inlined functions at each of a million addresses.
  private static let deepestInlining = 128
  private static let mostGrowth = 16
  private var room: Int

  init(_ trace: Trace) {
    self.trace = trace
    strings = trace.strings
    room = 1 << 20 + trace.stacks.count * Self.mostGrowth
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

  mutating func build() {
    for row in 0..<Int32(trace.stacks.count) {
      let frame = trace.stacks[row]
      let caller = trace.stacks.caller[Int(row)]
      var below = caller < 0 ? -1 : callers[Int(caller)]
      var isThunk = false
      // A thunk says nothing that the next function does not. It is left out, unless a sample was taken in it.
      for function in functions(of: frame) {
        if isThunk { below = stacks.caller[Int(below)] }
        let name = name(of: function.function)
        isThunk = name.isThunk
        var named = function
        named.function = name.string.rawValue
        below = stacks.append(caller: below, named)
      }
      innermost.append(below)
      callers.append(isThunk ? stacks.caller[Int(below)] : below)
    }
  }

  /// The functions at a frame's address, outermost first.
  private mutating func functions(of frame: StackTable.Frame) -> [StackTable.Frame] {
    let place = ImageAddress(image: frame.image, buildID: frame.buildID, address: frame.address)
    guard let range = symbols[place] else { return [frame] }
    let lines = trace.moduleSymbols[range.prefix(room > 0 ? Self.deepestInlining : 1)]
    room -= lines.count
    return lines.reversed().map { symbol in
      var named = frame
      named.function = strings.intern(symbol.function).rawValue
      named.file = strings.intern(symbol.file).rawValue
      named.line = UInt32(clamping: symbol.line)
      return named
    }
  }

  private mutating func name(of function: UInt32) -> Name {
    if let known = names[function] { return known }
    let text = strings[StringID(rawValue: function)]
    let parts = FunctionName(Demangler.demangle(text))
    let name = Name(
      string: parts.text == text ? StringID(rawValue: function) : strings.intern(parts.text), isThunk: parts.isThunk)
    names[function] = name
    if parts.isOfStandardLibrary { standardFunctions.insert(parts.text) }
    return name
  }
}
