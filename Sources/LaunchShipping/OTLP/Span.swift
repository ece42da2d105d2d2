// SPDX-License-Identifier: Apache-2.0

internal import LaunchRecord

/// A span of OpenTelemetry. Times are ns since 1970.
struct Span {
  enum Value {
    case text(String)
    case number(Int64)
    case flag(Bool)
  }
  typealias Attributes = [(key: String, value: Value)]

  struct Event {
    var name: String
    var time: Int64
  }

  /// 32 hexadecimal digits.
  var trace: String
  var id: UInt64
  var parent: UInt64?
  var name: String
  var start: Int64
  var end: Int64
  var attributes: Attributes = []
  var events: [Event] = []
  /// Why it failed; nil if it did not.
  var failure: String?
}

/// A launch as spans: one for the launch, and one for each phase whose time is known.
struct LaunchSpans {
  let resource: Span.Attributes
  let spans: [Span]

  /// nil for a record without an id or a time.
  init?(_ record: Record) {
    guard let id = record.text(.id).flatMap(LaunchID.init),
      let start = record.text(.time).flatMap({ WallTime($0) })?.nanoseconds
    else { return nil }
    resource = Self.resource(record)
    var root = Span(
      trace: id.text, id: id.part("launch"), name: "app.start", start: start, end: start,
      attributes: Self.attributes(record))
    let milestones = record.named(.milestones)
    root.events = milestones.map { Span.Event(name: $0.name, time: Self.sum(start, $0.number)) }
      .sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    let phases = Self.phases(record, id, root)
    let known = (phases.map(\.end) + root.events.map(\.time)).max() ?? start
    root.end = max(start, record.number(.total).map { Self.sum(start, $0) } ?? known)
    let outcome = record.text(.outcome)
    if outcome == RecordOutcome.timeout.rawValue { root.failure = "the deadline passed before the launch was complete" }
    if outcome == RecordOutcome.failed.rawValue { root.failure = "the program ended before the launch was complete" }
    spans = [root] + phases
  }

  /// A record may say anything.
  private static func sum(_ start: Int64, _ time: Int64) -> Int64 {
    let (sum, overflows) = start.addingReportingOverflow(max(0, time))
    return overflows ? .max : sum
  }

  // MARK: Phases

  /// The parent of a phase is the shortest phase that contains it.
  private static func phases(_ record: Record, _ id: LaunchID, _ root: Span) -> [Span] {
    let times = Dictionary(record.named(.phases).map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    var open: [Span] = []
    return record.named(.phaseStarts).compactMap { name, at in
      times[name].map { time in
        let start = sum(root.start, at)
        return Span(
          trace: root.trace, id: id.part("phase \(name)"), name: "app.start." + name, start: start,
          end: sum(start, time),
          attributes: [("app.vitals.start.phase", .text(name))])
      }
    }
    .sorted { ($0.start, $1.end, $0.name) < ($1.start, $0.end, $1.name) }
    .map { phase in
      while let last = open.last, last.end <= phase.start { open.removeLast() }
      var phase = phase
      phase.parent = open.last { $0.end >= phase.end }?.id ?? root.id
      open.append(phase)
      return phase
    }
  }

  // MARK: Attributes

  /// By the semantic conventions of OpenTelemetry.
  private static func resource(_ record: Record) -> Span.Attributes {
    let arch = record.text(.arch)
    return texts([
      ("service.name", record.text(.program)), ("service.version", record.text(.version)),
      ("process.executable.name", record.text(.program)),
      ("process.executable.build_id.gnu", record.text(.build)), ("os.type", record.text(.os)),
      ("os.version", record.text(.osVersion)), ("host.arch", arch == "x86_64" ? "amd64" : arch),
      ("host.cpu.model.name", record.text(.cpu)), ("telemetry.sdk.name", "launchprof"),
      ("telemetry.sdk.language", "swift"), ("telemetry.sdk.version", record.text(.profiler)),
    ])
  }

  /// Keys of the record that the resource, the spans or their times say already.
  private static let saidElsewhere = Set(
    [RecordKey.record, .time, .program, .version, .build, .os, .osVersion, .arch, .cpu, .profiler].map(\.rawValue))
  private static let names = [
    RecordKey.kind.rawValue: "type", RecordKey.total.rawValue: "value",
    RecordKey.withinBudget.rawValue: "within_budget", RecordKey.cpuTime.rawValue: "cpu_time",
    RecordKey.memoryMiB.rawValue: "memory_mib", RecordKey.recorder.rawValue: "recorder_cost",
  ]

  private static func attributes(_ record: Record) -> Span.Attributes {
    var attributes: Span.Attributes = texts([("process.creation.time", record.text(.time))])
    for field in record.fields
    where !saidElsewhere.contains(field.key) && !field.key.hasPrefix(RecordKey.milestones.rawValue)
      && !field.key.hasPrefix(RecordKey.phaseStarts.rawValue)
    {
      let name = "app.vitals.start." + (names[field.key] ?? field.key)
      switch field.value {
      case .text(let text): attributes.append((name, .text(text)))
      case .number(let number): attributes.append((name, .number(number)))
      case .flag(let flag): attributes.append((name, .flag(flag)))
      }
    }
    return attributes
  }

  private static func texts(_ pairs: [(String, String?)]) -> Span.Attributes {
    pairs.compactMap { key, text in text.map { (key, .text($0)) } }
  }
}

extension Record {
  /// The numbers behind a prefix.
  func named(_ prefix: RecordKey) -> [(name: String, number: Int64)] {
    let prefix = prefix.rawValue
    return fields.compactMap { field in
      guard field.key.hasPrefix(prefix), case .number(let number) = field.value else { return nil }
      return (String(field.key.dropFirst(prefix.utf8.count)), number)
    }
  }
}
