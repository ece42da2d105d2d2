// SPDX-License-Identifier: Apache-2.0

/// What the samples of a profile refer to: strings, functions, mappings, locations.
struct PprofTables {
  private struct Location {
    var mapping: UInt64 = 0
    var address: UInt64 = 0
    /// Functions inlined into each other, innermost first.
    var lines: [(function: UInt64, line: UInt64)] = []
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

  private let profile: UnsafeRawBufferPointer
  /// Strings of the trace.
  private var strings = UnreadEntries()
  private var functions = InternList<Function>()
  private var mappings = InternList<Mapping>()
  /// The row of each location in `locations`, by id.
  private var rows = InternTable()
  /// Where the frames of each location are in `places`.
  private var locations = UnreadEntries()
  /// For a location: how many frames it has, and then their places in the trace's frames, outermost first.
  private var places: [Int32] = []
  /// Where those of a location are that the profile does not describe.
  private var unknown: UInt32?
  /// What the values of a sample count: rows of `strings`.
  private var values: [(type: UInt64, unit: UInt64)] = []
  private var defaultType: UInt64 = 0

  /// Notes where strings and locations are: what refers to them may come first.
  init(_ profile: UnsafeRawBufferPointer) {
    self.profile = profile
    var fields = ProtobufFields(profile)
    var place = 0
    while let field = fields.next() {
      switch (field.number, field.wire) {
      case (4, 2):
        rows.insert(UInt32(truncatingIfNeeded: locations.count), id: ProtobufFields.id(of: field.bytes))
        locations.append(place: place)
      case (6, 2): strings.append(place: place)
      default: break
      }
      place = profile.count - fields.rest
    }
  }

  /// More functions than any compiler inlines into each other.
  private static let mostLines = 256

  /// Reads the rest. False if the profile breaks off.
  mutating func read(_ builder: inout TraceBuilder) -> Bool {
    builder.mostFrames = TraceLimits.frames(bytes: profile.count)
    builder.mostNames = TraceLimits.functions(bytes: profile.count)
    var fields = ProtobufFields(profile)
    while let field = fields.next() {
      switch (field.number, field.wire) {
      case (1, 2): values.append(Self.pair(field.bytes))
      case (3, 2): addMapping(field.bytes, &builder)
      case (5, 2): addFunction(field.bytes, &builder)
      case (14, 0): defaultType = field.value
      default: break
      }
    }
    return !fields.isMalformed
  }

  private mutating func string(_ row: UInt64, _ builder: inout TraceBuilder) -> StringID {
    switch strings[row] {
    case nil: return .empty
    case .read(let id): return StringID(rawValue: id)
    case .unread(let place):
      let id = builder.trace.strings.intern(utf8: content(at: place))
      strings.set(row, id.rawValue)
      return id
    }
  }

  /// The content of the field at a place.
  private func content(at place: Int) -> UnsafeRawBufferPointer {
    var fields = ProtobufFields(profile.from(place))
    return fields.next()?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: Values

  /// Two numbers.
  static func isValueType(_ message: UnsafeRawBufferPointer) -> Bool {
    var fields = ProtobufFields(message)
    var count = 0
    while let field = fields.next() {
      guard field.wire == 0, field.number == 1 || field.number == 2 else { return false }
      count += 1
    }
    return count > 0 && !fields.isMalformed
  }

  /// The fields 1 and 2 of a message.
  private static func pair(_ message: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    var pair: (UInt64, UInt64) = (0, 0)
    for field in ProtobufFields(message) {
      if field.number == 1 { pair.0 = field.value }
      if field.number == 2 { pair.1 = field.value }
    }
    return pair
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
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: id = field.value
      case 2: mapping.start = field.value
      case 4: mapping.offset = field.value
      case 5: mapping.path = string(field.value, &builder)
      case 6: mapping.buildID = string(field.value, &builder)
      default: break
      }
    }
    mappings.insert(mapping, id: id)
  }

  private static func location(_ message: UnsafeRawBufferPointer) -> Location {
    var location = Location()
    for field in ProtobufFields(message) {
      switch (field.number, field.wire) {
      case (2, 0): location.mapping = field.value
      case (3, 0): location.address = field.value
      case (4, 2) where location.lines.count < mostLines: location.lines.append(pair(field.bytes))
      default: break
      }
    }
    return location
  }

  private mutating func addFunction(_ message: UnsafeRawBufferPointer, _ builder: inout TraceBuilder) {
    var (id, function): (UInt64, Function) = (0, Function(name: .empty, file: .empty))
    var system = StringID.empty
    for field in ProtobufFields(message) {
      switch field.number {
      case 1: id = field.value
      case 2: function.name = string(field.value, &builder)
      case 3: system = string(field.value, &builder)
      case 4: function.file = string(field.value, &builder)
      default: break
      }
    }
    if function.name == .empty { function.name = system }
    functions.insert(function, id: id)
  }

  // MARK: Stacks

  /// The row of a stack whose locations come innermost first.
  mutating func stack(_ stack: [UInt64], _ builder: inout TraceBuilder) -> Int32 {
    var (row, depth) = (Int32(-1), 0)
    for id in stack.reversed() {
      for place in frames(ofLocation: id, &builder) {
        guard depth < StackInterning.longestStack, let next = builder.row(of: places[place], below: row) else {
          return row
        }
        row = next
        depth += 1
      }
    }
    return row
  }

  /// Where the frames of a location are in `places`.
  private mutating func frames(ofLocation id: UInt64, _ builder: inout TraceBuilder) -> Range<Int> {
    let row = UInt64(rows[id])
    let first: UInt32
    switch locations[row] {
    case nil:
      // All that are not described are the same.
      first = unknown ?? add(Location(), &builder)
      unknown = first
    case .read(let known): first = known
    case .unread(let place):
      first = add(Self.location(content(at: place)), &builder)
      locations.set(row, first)
    }
    return Int(first) + 1..<Int(first) + 1 + Int(places[Int(first)])
  }

  private mutating func add(_ location: Location, _ builder: inout TraceBuilder) -> UInt32 {
    let first = places.count
    places.append(0)
    for frame in frames(of: location) { if let place = builder.place(of: frame) { places.append(place) } }
    places[first] = Int32(truncatingIfNeeded: places.count - first - 1)
    return UInt32(truncatingIfNeeded: first)
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
        file: function?.file ?? .empty, line: UInt32(exactly: line.line) ?? 0)
    }
  }
}
