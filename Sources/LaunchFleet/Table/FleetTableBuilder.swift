// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchRecord
internal import LaunchTrace

/// Puts records into a table, one at a time: fields first, then `commit`.
struct FleetTableBuilder {
  /// Where a field of a record goes.
  enum Target: Equatable {
    case format, id, time, outcome, total, within, weight, ignored
    case label(Int)
    /// A part of the launch: if it is impossible, so is the launch.
    case phase(Int)
    case metric(Int)
  }

  private(set) var table = FleetTable()
  let question: FleetQuestion
  private var ids = LaunchIDs()
  /// The rows of launches that failed, at most `mostFailed`, while no row is drawn at random.
  private var failedRows: [LaunchID: Int] = [:]
  /// The launches of `census.failedUnknown`, at most `mostFailed`.
  private var failedOfNoSide: Set<LaunchID> = []
  private var random: SeededRandom

  // The codes of the current record.
  private var codes: [UInt16] = []
  private var values: [Float] = []
  private var time: Int64?
  private var hasTime = false
  private var id: LaunchID?
  private var format: Int64?
  private var outcome: FleetTable.Outcome?
  private var within: UInt8 = 0
  private var weight: Float = 1
  private var isImpossible = false

  // For each label column: 0 not asked yet, 1 passes, 2 does not, for the filter and for each side.
  private var passes: [[[UInt8]]] = []
  private let day: Int?

  /// Columns of each kind that are kept, beside those that the question names.
  static let mostLabels = 64
  private static let mostFailed = 1 << 20
  static let mostMetrics = 256
  private static let longest: Int64 = 86_400_000_000_000

  init(_ question: FleetQuestion) {
    self.question = question
    random = SeededRandom(seed: 1)
    // No field of a record: made only for those who name it.
    if question.names(label: "day") {
      table.labels.append(LabelColumn("day", known: question.values(ofColumn: "day")))
      codes.append(0)
      day = 0
    } else {
      day = nil
    }
    table.metrics.append(MetricColumn(name: "total"))
    values.append(.nan)
  }

  var census: FleetCensus {
    get { table.census }
    set { table.census = newValue }
  }

  /// Fields that each question needs, by their keys.
  static let fields: [String: Target] = [
    "record": .format, "id": .id, "time": .time, "outcome": .outcome, "total": .total, "withinBudget": .within,
    "sample": .weight,
  ]

  /// Decides where a field goes.
  mutating func target(ofKey key: String) -> Target {
    if let field = Self.fields[key] { return field }
    if let metric = Self.metric(ofKey: key) {
      let isPhase = metric.hasPrefix("phase/")
      let isNamed = question.names(metric: metric)
      guard isPhase || isNamed else { return .ignored }
      if let place = table.metrics.firstIndex(where: { $0.name == metric }) {
        return isPhase ? .phase(place) : .metric(place)
      }
      guard table.metrics.count < Self.mostMetrics || isNamed else {
        table.census.droppedMetrics += 1
        return .ignored
      }
      table.metrics.append(MetricColumn(name: metric, values: [Float](repeating: .nan, count: table.count)))
      values.append(.nan)
      return isPhase ? .phase(table.metrics.count - 1) : .metric(table.metrics.count - 1)
    }
    guard question.wants(label: key) else { return .ignored }
    if let place = table.labels.firstIndex(where: { $0.name == key }) { return .label(place) }
    guard table.labels.count < Self.mostLabels || question.names(label: key) else {
      table.census.droppedColumns += 1
      return .ignored
    }
    var column = LabelColumn(key, known: question.values(ofColumn: key), isShared: key == question.unit)
    column.codes = [UInt16](repeating: 0, count: table.count)
    table.labels.append(column)
    codes.append(0)
    return .label(table.labels.count - 1)
  }

  /// Measured numbers beside the total. Every other key is a column. Engines/clickhouse has the same lists.
  static let measured: [RecordKey] = [.cpuTime, .recorder, .budget]
  static let measuredPrefixes: [RecordKey] = [.phases, .milestones, .states, .overBudget, .counts]

  /// `phase/x` of the field `phase.x`. nil for a field that is not a measured number.
  static func metric(ofKey key: String) -> String? {
    if measured.contains(where: { $0.rawValue == key }) { return key }
    guard let group = measuredPrefixes.first(where: { key.hasPrefix($0.rawValue) }) else { return nil }
    return group.rawValue.dropLast() + "/" + key.dropFirst(group.rawValue.count)
  }

  /// `phase.x` of `phase/x`.
  static func key(ofMetric name: String) -> String {
    guard let slash = name.firstIndex(of: "/") else { return name }
    return name[..<slash] + "." + name[name.index(after: slash)...]
  }

  mutating func set(_ target: Target, _ value: FlatObjectScanner.Value) {
    switch (target, value) {
    case (.ignored, _), (_, .null): break
    case (.total, _): setRequired(0, value, least: 1)
    case (.phase(let place), _): setRequired(place, value, least: 0)
    case (.metric(let place), _): values[place] = Self.measured(value, least: 0) ?? .nan
    case (_, .nested): break
    case (.format, .integer(let number, _)): format = number
    case (.id, .text(let text, _)): id = LaunchID(text)
    case (.time, .text(let text, _)): (time, hasTime) = (RecordTime.seconds(text), true)
    case (.outcome, .text(let text, _)): outcome = Self.outcome(text)
    case (.within, .flag(let isWithin)): within = isWithin ? 1 : 2
    case (.weight, .integer(let number, _)): weight = number > 0 ? Float(number) : 1
    case (.weight, .number(let number, _)): weight = number > 0 && number < 1e12 ? Float(number) : 1
    case (.label(let place), .text(let text, let hasEscapes)):
      if hasEscapes { JSONEscapes.decoded(text).withUnsafeBytes { set(place, $0) } } else { set(place, text) }
    case (.label(let place), .integer(_, let text)), (.label(let place), .number(_, let text)): set(place, text)
    case (.label(let place), .flag(let flag)):
      (flag ? [UInt8]("true".utf8) : [UInt8]("false".utf8)).withUnsafeBytes { set(place, $0) }
    default: break
    }
  }

  /// Without the total and the phases of a launch, the rest says nothing.
  private mutating func setRequired(_ place: Int, _ value: FlatObjectScanner.Value, least: Int64) {
    if let number = Self.measured(value, least: least) { values[place] = number } else { isImpossible = true }
  }

  /// A whole number from `least` to a day, however it is written; nil for anything else. Engines/clickhouse has the same rule.
  private static func measured(_ value: FlatObjectScanner.Value, least: Int64) -> Float? {
    switch value {
    case .integer(let number, _): (least...longest).contains(number) ? Float(number) : nil
    case .number(let number, _):
      Int64(exactly: number).flatMap { (least...longest).contains($0) ? Float($0) : nil }
    default: nil
    }
  }

  private mutating func set(_ place: Int, _ text: UnsafeRawBufferPointer) {
    codes[place] = table.labels[place].code(text)
    if codes[place] == LabelColumn.other {
      table.census.otherValues += 1
    } else if text.count > LabelColumn.longestValue {
      table.census.cutValues += 1
    }
  }

  private static func outcome(_ text: UnsafeRawBufferPointer) -> FleetTable.Outcome? {
    if text.elementsEqual("completed".utf8) { return .completed }
    if text.elementsEqual("failed".utf8) { return .failed }
    return text.elementsEqual("timeout".utf8) ? .timeout : nil
  }

  /// Ends a record. Keeps it, or counts why it is left out.
  mutating func commit() {
    defer { clear() }
    guard let format else {
      table.census.foreign += 1
      return
    }
    guard format == 1 else {
      table.census.newer += 1
      return
    }
    if isImpossible {
      table.census.impossible += 1
      return
    }
    let isTimeSound = time.map { $0 > 1_262_304_000 && $0 <= question.now &+ (question.now == .max ? 0 : 86_400) }
    if hasTime, isTimeSound != true { table.census.wrongClock += 1 }
    if isTimeSound == true { setDay() } else { time = nil }
    // A program that seemed to be dead was not.
    if outcomeOrGuess == .completed, let id, failedOfNoSide.remove(id) != nil { table.census.failedUnknown -= 1 }
    guard passesFilters() else {
      table.census.filtered += 1
      noteFailureOfNoSide()
      return
    }
    if let id {
      let count = ids.unchecked
      guard ids.insert(id) else {
        table.census.duplicates += 1
        // A program that seemed to be dead was not: its launch has completed.
        if outcomeOrGuess == .completed, let row = failedRows.removeValue(forKey: id) { write(row, .completed) }
        return
      }
      table.census.unchecked += ids.unchecked - count
    } else {
      table.census.withoutID += 1
    }
    store()
  }

  /// A launch of a histogram, which has no id.
  mutating func commitUnidentified() {
    if passesFilters() { store() } else { table.census.filtered += 1 }
    clear()
  }

  mutating func setMeasured(total: Double, weight: Float, time: Int64?) {
    values[0] = Float(total)
    self.weight = weight
    self.time = time
    outcome = .survived
    setDay()
  }

  private var outcomeOrGuess: FleetTable.Outcome { outcome ?? (values[0].isNaN ? .failed : .completed) }

  private mutating func setDay() {
    if let day, let time { Array(CalendarDate.text(time / 86_400).utf8).withUnsafeBytes { set(day, $0) } }
  }

  private mutating func store() {
    table.census.launches += 1
    let outcome = outcomeOrGuess
    // Every launch has the same chance to be among those that are kept (Vitter 1985, algorithm R).
    if table.count == question.mostLaunches {
      let place = random.next(below: table.census.launches)
      table.census.drawn = table.count
      failedRows = [:]
      if place < table.count { write(place, outcome) }
      return
    }
    if outcome == .failed || outcome == .timeout, let id, failedRows.count < Self.mostFailed {
      failedRows[id] = table.count
    }
    for place in table.labels.indices { table.labels[place].codes.append(codes[place]) }
    for place in table.metrics.indices { table.metrics[place].values.append(values[place]) }
    table.weights.append(weight)
    table.outcomes.append(outcome.rawValue)
    table.withinBudget.append(within)
    if question.keepsIDs { table.ids.append(id ?? .absent) }
    if question.keepsTimes { table.times.append(time ?? 0) }
    table.count += 1
  }

  private mutating func write(_ row: Int, _ outcome: FleetTable.Outcome) {
    for place in table.labels.indices { table.labels[place].codes[row] = codes[place] }
    for place in table.metrics.indices { table.metrics[place].values[row] = values[place] }
    table.weights[row] = weight
    table.outcomes[row] = outcome.rawValue
    table.withinBudget[row] = within
    if question.keepsIDs { table.ids[row] = id ?? .absent }
    if question.keepsTimes { table.times[row] = time ?? 0 }
  }

  private mutating func passesFilters() -> Bool {
    guard passes(0, question.filter) else { return false }
    if question.sides.isEmpty { return true }
    for (number, side) in question.sides.enumerated() where passes(number + 1, side) { return true }
    return false
  }

  private mutating func passes(_ number: Int, _ filter: FleetFilter) -> Bool {
    for (name, values) in filter.entries {
      guard let place = table.labels.firstIndex(where: { $0.name == name }) else {
        if values.contains("") { continue }
        return false
      }
      if !passes(number, place, codes[place], values) { return false }
    }
    return true
  }

  /// A launch that was killed early may not know its version. It counts for none, and the share of failures is too low without it.
  private mutating func noteFailureOfNoSide() {
    guard outcomeOrGuess != .completed else { return }
    // The launch has completed: its record came first, from another file of the spool.
    if let id, ids.contains(id) { return }
    let (known, sides) = (unknownColumns(0, question.filter), question.sides.indices.map { $0 + 1 })
    let found = sides.compactMap { unknownColumns($0, question.sides[$0 - 1]) }
    guard let known, sides.isEmpty || !found.isEmpty else { return }
    if let id, failedOfNoSide.count < Self.mostFailed, !failedOfNoSide.insert(id).inserted { return }
    table.census.failedUnknown += 1
    table.census.unknownColumns.formUnion(known + found.joined())
  }

  /// The columns that the record does not know, of those by which it would pass; nil if another one leaves it out.
  private mutating func unknownColumns(_ number: Int, _ filter: FleetFilter) -> [String]? {
    var unknown: [String] = []
    for (name, values) in filter.entries {
      guard let place = table.labels.firstIndex(where: { $0.name == name }), codes[place] != 0 else {
        if !values.contains("") { unknown.append(name) }
        continue
      }
      if !passes(number, place, codes[place], values) { return nil }
    }
    return unknown
  }

  /// The same values come again and again: their texts are compared once.
  private mutating func passes(_ number: Int, _ place: Int, _ code: UInt16, _ values: [String]) -> Bool {
    while passes.count <= number { passes.append([]) }
    while passes[number].count <= place { passes[number].append([]) }
    while passes[number][place].count <= Int(code) { passes[number][place].append(0) }
    if passes[number][place][Int(code)] == 0 {
      passes[number][place][Int(code)] = values.contains(table.labels[place].text(code)) ? 1 : 2
    }
    return passes[number][place][Int(code)] == 1
  }

  /// Forgets the fields of a record that is kept, or of a line that is not a launch, or does not count.
  mutating func clear() {
    for place in codes.indices { codes[place] = 0 }
    for place in values.indices { values[place] = .nan }
    (time, hasTime, id, format, outcome, within, weight, isImpossible) = (nil, false, nil, nil, nil, 0, 1, false)
  }
}
