// SPDX-License-Identifier: Apache-2.0

/// What markers of one kind are shown as.
struct FirefoxSchema {
  struct Field {
    var key: String
    var label: String
    var format = "string"
  }

  var name: String
  var description: String
  var display = ["marker-chart", "marker-table"]
  /// What a bar of the chart says.
  var chartLabel: String?
  var tableLabel: String?
  var fields: [Field] = []
  /// The markers of a thread nest.
  var isStackBased = false

  func write(to json: inout JSONWriter) {
    json.values(["name": name, "description": description])
    json.texts("display", display)
    json.values([
      "tooltipLabel": "{marker.name}", "chartLabel": chartLabel ?? "{marker.name}",
      "tableLabel": tableLabel ?? "{marker.name}",
    ])
    json.objects("fields", fields) { $0.values(["key": $1.key, "label": $1.label, "format": $1.format]) }
    if isStackBased { json.value("isStackBased", true) }
  }
}

extension FirefoxSchema {
  static let phase = FirefoxSchema(
    name: "Phase", description: "A phase of the launch.",
    display: ["marker-chart", "marker-table", "timeline-overview"],
    fields: [
      Field(key: "budget", label: "Budget", format: "duration"),
      Field(key: "over", label: "Over budget by", format: "duration"), Field(key: "end", label: "End"),
      Field(key: "cpu", label: "CPU time", format: "duration"),
      Field(key: "majorFaults", label: "Major page faults", format: "integer"),
      Field(key: "readBytes", label: "Read", format: "bytes"), Field(key: "details", label: "Recorded"),
    ])

  static let interval = FirefoxSchema(
    name: "Interval", description: "Work that the program named.",
    fields: [
      Field(key: "category", label: "Category"), Field(key: "budget", label: "Budget", format: "duration"),
      Field(key: "over", label: "Over budget by", format: "duration"), Field(key: "end", label: "End"),
      Field(key: "details", label: "Recorded"),
    ], isStackBased: true)

  /// As `interval`, of work that may overlap.
  static let async = FirefoxSchema(
    name: "Async", description: "Work that the program named, and that is not bound to a thread.",
    fields: interval.fields)

  static let event = FirefoxSchema(
    name: "Event", description: "An instant that the program named.",
    fields: [Field(key: "category", label: "Category"), Field(key: "details", label: "Recorded")])

  static let milestone = FirefoxSchema(
    name: "Milestone", description: "A point that the launch reached.",
    display: ["marker-chart", "marker-table", "timeline-overview"],
    fields: [
      Field(key: "after", label: "After the start", format: "duration"),
      Field(key: "budget", label: "Budget", format: "duration"), Field(key: "details", label: "Recorded"),
    ])

  static let finding = FirefoxSchema(
    name: "Finding", description: "What slowed the launch.",
    display: ["marker-chart", "marker-table", "timeline-overview"], chartLabel: "{marker.data.subject}",
    tableLabel: "{marker.data.subject}: {marker.data.advice}",
    fields: [
      Field(key: "subject", label: "Subject"), Field(key: "phase", label: "In phase"),
      Field(key: "actual", label: "Actual"), Field(key: "expected", label: "Expected"),
      Field(key: "evidence", label: "Evidence", format: "list"), Field(key: "advice", label: "Next step"),
    ])

  static let state = FirefoxSchema(
    name: "State", description: "What the main thread did.", display: ["marker-chart", "marker-table"],
    fields: [
      Field(key: "systemCall", label: "System call"), Field(key: "path", label: "File"),
      Field(key: "thread", label: "Waited for"),
    ])

  static let all = [phase, interval, async, event, milestone, finding, state]
}
