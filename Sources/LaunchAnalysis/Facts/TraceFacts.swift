// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchTrace

/// The instants of a trace that describe the launch as a whole.
struct TraceFacts {
  struct Mark {
    var id: String
    var time: Int64
    /// How much earlier it may have been, ns.
    var error: Int64
    var source: Source
    /// Where it was recorded: a row of `Trace.tracks`.
    var track: Int32
    /// Details for people; empty when the name says it all.
    var detail: String
  }

  /// The recorder's report that something exceeded its budget.
  struct OverBudget {
    enum Place: String {
      case mainThread
      /// On another thread, with a budget of its own.
      case elsewhere
      /// On another thread, while the first thread waited for events.
      case awaited
    }

    var interval: String
    var kind: String
    var start: Int64
    var duration: Int64
    var place: Place
  }

  var recorder: RecorderFacts?
  /// Of the last launch, if the trace has several.
  var launcher: LauncherFacts?
  /// The states of threads are estimates (D310, D313).
  var hasEstimatedStates: Bool { launcher?.observation?.waitStates == .times }
  /// How many launches launchers recorded into the trace. Files can be concatenated.
  private(set) var launchCount = 0
  var marks: [Mark] = []
  var overBudget: [OverBudget] = []
  /// The budgets that the recorder knew.
  private(set) var budgets: [BudgetRule] = []
  var labels = Labels()
  /// The process id of the launched program, 0 if the trace does not say.
  var processID: Int32 = 0

  init(_ trace: Trace) {
    let launchers = trace.instants(of: CategoryName.launcher)
    launcher = launchers.last.map { LauncherFacts(trace.annotations(ofInstant: $0)) }
    launchCount = launchers.count
    let recorders = trace.instants(of: CategoryName.recorder).map {
      RecorderFacts(trace.annotations(ofInstant: $0), track: trace.instants.track[$0])
    }
    // A file may contain a program and its children, because files can be concatenated. The launched program counts.
    recorder = recorders.first { trace.processID(ofTrack: $0.track) == launcher?.processID } ?? recorders.first
    processID = recorder.flatMap { trace.processID(ofTrack: $0.track) } ?? launcher?.processID ?? 0
    marks = rows(of: CategoryName.mark, in: trace).map { Mark(trace, row: $0) }
    for row in rows(of: CategoryName.budget, in: trace) { addBudget(trace.annotations(ofInstant: row)) }
    for row in rows(of: CategoryName.metadata, in: trace) {
      labels.add(trace.annotations(ofInstant: row), strings: trace.strings)
    }
    // The launcher knows the state of the machine, because it prepared it. The program can only guess.
    labels.kind = launcher?.kind ?? labels.kind
  }

  /// The instants of the launched program.
  private func rows(of category: String, in trace: Trace) -> [Int] {
    trace.instants(of: category).filter { trace.isTrack(trace.instants.track[$0], of: processID) }
  }

  private mutating func addBudget(_ row: AnnotationRow) {
    guard let budget = row.integer(LS_KEY_BUDGET_NS) else { return }
    let (name, kind) = (row.string(LS_KEY_INTERVAL) ?? "", row.string(LS_KEY_KIND) ?? LS_BUDGET_INTERVAL)
    if let start = row.time(LS_KEY_START_NS) {
      overBudget.append(
        OverBudget(
          interval: name, kind: kind, start: start, duration: row.number(LS_KEY_DURATION_NS),
          place: row.string(LS_KEY_PLACE).flatMap(OverBudget.Place.init) ?? .mainThread))
    } else if let kind = BudgetRule.Kind(rawValue: kind) {
      let condition = BudgetRule.Condition(
        reason: row.string(LS_KEY_REASON), context: row.string(LS_KEY_CONTEXT), kind: row.string(LS_KEY_LAUNCH_KIND))
      let author = row.string(LS_KEY_SET_BY).flatMap(BudgetRule.Author.init) ?? .program
      budgets.append(BudgetRule(kind, name, budget, for: condition, by: author))
    }
  }
}

extension TraceFacts.Mark {
  fileprivate init(_ trace: Trace, row: Int) {
    let annotations = trace.annotations(ofInstant: row)
    let name = trace.strings[StringID(rawValue: trace.instants.name[row])]
    self.init(
      id: name.isEmpty ? Trace.noName : name, time: trace.instants.time[row],
      error: max(0, annotations.number(LS_KEY_ERROR_NS)),
      source: annotations.string(LS_KEY_SOURCE).flatMap(Source.init) ?? .api, track: trace.instants.track[row],
      detail: annotations.string(LS_KEY_DETAIL) ?? "")
  }
}

extension Labels {
  fileprivate mutating func add(_ row: AnnotationRow, strings: StringTable) {
    for (key, value) in row.entries {
      let text = value.plainText
      switch strings[key] {
      case LS_KEY_VERSION: version = text
      case LS_KEY_BUILD: build = text
      case LS_KEY_REASON: reason = text
      case LS_KEY_CONTEXT: context = text
      case LS_KEY_KIND: kind = text
      case LS_KEY_LAUNCH_ID: id = text
      case LS_KEY_DEADLINE: hasTimedOut = text == LS_DEADLINE_PASSED
      case let other: self.other[other] = text
      }
    }
  }
}

extension Trace {
  /// nil if the trace does not say.
  func processID(ofTrack track: Int32) -> Int32? {
    guard tracks.indices.contains(Int(track)), tracks[Int(track)].processID != 0 else { return nil }
    return tracks[Int(track)].processID
  }

  /// Whether a track may be of a process. A file may also have other launches, because files can be concatenated, and child
  /// processes.
  ///
  /// - Parameter process: 0 if the trace does not say which process was launched.
  package func isTrack(_ track: Int32, of process: Int32) -> Bool {
    process == 0 || (processID(ofTrack: track) ?? process) == process
  }
}
