// SPDX-License-Identifier: Apache-2.0

/// What the samples of a profile refer to: strings, functions, mappings, locations.
struct PprofTables {
  private struct Line {
    var function: UInt64
    var line: UInt32
  }

  private struct Location {
    var mapping: UInt64 = 0
    var address: UInt64 = 0
    /// Functions inlined into each other, innermost first.
    var lines: [Line] = []
  }

  private struct Function {
    var name: StringID
    var file: StringID
  }

  private struct Mapping {
    var start: UInt64 = 0
    var offset: UInt64 = 0
    var path: StringID = .empty
    var buildID: StringID = .empty
  }

  private var strings: PprofStrings
  private var functions = InternList<Function>()
  private var mappings = InternList<Mapping>()
  /// Where each location begins in the profile, and how long it is. A profile may have many that no sample refers to.
  private var locations = InternList<(start: UInt32, count: UInt32)>()
  /// The frames of each location that was looked up, outermost first: places in the trace's frames.
  private var frames = InternList<Range<Int>>()
  /// Those of a location that the profile does not describe.
  private var unknown: Range<Int>?
  private var places: [Int32] = []
  /// What the values of a sample count: rows of `strings`.
  private var values: [(type: UInt64, unit: UInt64)] = []
  private var defaultType: UInt64 = 0

  init(_ profile: UnsafeRawBufferPointer) { strings = PprofStrings(profile) }

  /// More functions than any compiler inlines into each other.
  private static let mostLines = 256

  /// False if the profile breaks off.
  mutating func read(_ profile: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) -> Bool {
    builder.mostFrames = TraceLimits.frames(bytes: profile.count)
    builder.mostNames = TraceLimits.nodes(bytes: profile.count)
    var fields = ProtobufFields(profile)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (1, 2): values.append(Self.valueType(fields.bytes))
      case (3, 2): addMapping(fields.bytes, &builder)
      case (4, 2): addLocation(fields.bytes, in: profile)
      case (5, 2): addFunction(fields.bytes, &builder)
      case (14, 0): defaultType = fields.value
      default: break
      }
    }
    return !fields.isMalformed
  }

  private mutating func string(_ row: UInt64, _ builder: inout TraceBuilder) -> StringID {
    strings.string(row, &builder.trace.strings)
  }

  // MARK: Values

  /// Two numbers.
  static func isValueType(_ message: UnsafeRawBufferPointer) -> Bool {
    var type = ProtobufFields(message)
    var count = 0
    while type.next() {
      guard type.wire == 0, type.number == 1 || type.number == 2 else { return false }
      count += 1
    }
    return count > 0 && !type.isMalformed
  }

  private static func valueType(_ message: UnsafeRawBufferPointer) -> (type: UInt64, unit: UInt64) {
    var fields = ProtobufFields(message)
    var value: (type: UInt64, unit: UInt64) = (0, 0)
    while fields.next() {
      if fields.number == 1 { value.type = fields.value }
      if fields.number == 2 { value.unit = fields.value }
    }
    return value
  }

  /// The value of a sample that is read, and what it counts.
  mutating func chosenValue(_ builder: inout TraceBuilder) -> (column: Int, unit: SampleUnit) {
    let types = values.map { string($0.type, &builder) }
    let wanted = string(defaultType, &builder)
    let names = values.map { string($0.unit, &builder) }
    let units = zip(types, names).map { type, name in
      SampleUnit(pprof: builder.trace.strings[type], unit: builder.trace.strings[name])
    }
    let named = defaultType == 0 ? nil : types.firstIndex(of: wanted)
    let column = named ?? units.lastIndex { $0.isTime } ?? max(0, values.count - 1)
    return (column, column < units.count ? units[column] : SampleUnit(pprof: "", unit: "count"))
  }

  // MARK: Tables

  private mutating func addMapping(_ message: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) {
    var (id, mapping): (UInt64, Mapping) = (0, Mapping())
    var fields = ProtobufFields(message)
    while fields.next() {
      switch fields.number {
      case 1: id = fields.value
      case 2: mapping.start = fields.value
      case 4: mapping.offset = fields.value
      case 5: mapping.path = string(fields.value, &builder)
      case 6: mapping.buildID = string(fields.value, &builder)
      default: break
      }
    }
    mappings.insert(mapping, id: id)
  }

  private mutating func addLocation(_ message: UnsafeRawBufferPointer, in profile: UnsafeRawBufferPointer) {
    var id: UInt64 = 0
    var fields = ProtobufFields(message)
    while fields.next() {
      if fields.number == 1, fields.wire == 0 { id = fields.value }
    }
    let start = message.baseAddress.map { $0 - (profile.baseAddress ?? $0) } ?? 0
    locations.insert((UInt32(clamping: start), UInt32(clamping: message.count)), id: id)
  }

  private static func location(_ message: UnsafeRawBufferPointer) -> Location {
    var location = Location()
    var fields = ProtobufFields(message)
    while fields.next() {
      switch (fields.number, fields.wire) {
      case (2, 0): location.mapping = fields.value
      case (3, 0): location.address = fields.value
      case (4, 2) where location.lines.count < mostLines: location.lines.append(line(fields.bytes))
      default: break
      }
    }
    return location
  }

  private static func line(_ message: UnsafeRawBufferPointer) -> Line {
    var fields = ProtobufFields(message)
    var line = Line(function: 0, line: 0)
    while fields.next() {
      if fields.number == 1 { line.function = fields.value }
      if fields.number == 2 { line.line = UInt32(exactly: fields.value) ?? 0 }
    }
    return line
  }

  private mutating func addFunction(_ message: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) {
    var (id, function): (UInt64, Function) = (0, Function(name: .empty, file: .empty))
    var system = StringID.empty
    var fields = ProtobufFields(message)
    while fields.next() {
      switch fields.number {
      case 1: id = fields.value
      case 2: function.name = string(fields.value, &builder)
      case 3: system = string(fields.value, &builder)
      case 4: function.file = string(fields.value, &builder)
      default: break
      }
    }
    if function.name == .empty { function.name = system }
    functions.insert(function, id: id)
  }

  // MARK: Stacks

  /// The row of a stack whose locations come innermost first.
  mutating func stack(
    _ stack: [UInt64], of profile: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Int32 {
    var (row, depth) = (Int32(-1), 0)
    for id in stack.reversed() {
      for place in frames(ofLocation: id, of: profile, &builder) {
        guard depth < StackInterning.longestStack, let next = builder.row(of: places[place], below: row) else {
          return row
        }
        row = next
        depth += 1
      }
    }
    return row
  }

  private mutating func frames(
    ofLocation id: UInt64, of profile: UnsafeRawBufferPointer, _ builder: inout TraceBuilder
  ) -> Range<Int> {
    if let known = frames[id] { return known }
    guard let (start, count) = locations[id] else {
      // All that are not described are the same.
      if unknown == nil { unknown = add(Location(), &builder) }
      return unknown ?? 0..<0
    }
    let bytes = UnsafeRawBufferPointer(rebasing: profile[Int(start)..<Int(start) + Int(count)])
    let added = add(Self.location(bytes), &builder)
    frames.insert(added, id: id)
    return added
  }

  private mutating func add(_ location: Location, _ builder: inout TraceBuilder) -> Range<Int> {
    let first = places.count
    for frame in frames(of: location) { if let place = builder.place(of: frame) { places.append(place) } }
    return first..<places.count
  }

  private func frames(of location: Location) -> [StackTable.Frame] {
    let mapping = mappings[location.mapping] ?? Mapping()
    if location.lines.isEmpty {
      // As the file counts addresses.
      let address = location.address &- mapping.start &+ mapping.offset
      return [StackTable.Frame(function: .empty, image: mapping.path, buildID: mapping.buildID, address: address)]
    }
    return location.lines.reversed().map { line in
      let function = functions[line.function]
      return StackTable.Frame(
        function: function?.name ?? .empty, image: mapping.path, buildID: mapping.buildID,
        file: function?.file ?? .empty, line: line.line)
    }
  }
}
