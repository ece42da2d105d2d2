// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchTrace

/// One row a span. Written straight from the columns: a million rows make no string.
struct CSVSpans {
  static let header =
    "launch,thread,track,path,phase,start_ns,duration_ns,self_ns,cpu_ns,minor_faults,major_faults,"
    + "voluntary_switches,involuntary_switches,budget_ns,over_budget_ns,flags,name,category,read_bytes,message"
    + CSVField.lineEnd

  private let launch: LaunchSet.Launch
  private let options: ReportOptions
  private let names: CSVNames
  /// The first three fields of a row, by the track of the span.
  private let heads: TextPool
  private let threads: [String]
  private let tracks: [String]
  private let messages: RecordedMessages
  private let intervalBudgets: [Int64]
  private let categoriesWithoutBudget: Set<UInt32>
  private let hasBudgetsOnAnyThread: Bool
  /// Of each track, whether it is of the launched process. Budgets are not for other programs.
  private let isOwnTrack: [Bool]
  /// The launch tasks that decided when the last one ended.
  private let criticalTasks: Set<Int>

  init(_ launch: LaunchSet.Launch, options: ReportOptions) {
    self.launch = launch
    self.options = options
    let (timeline, trace) = (launch.timeline, launch.timeline.trace)
    names = CSVNames(trace.strings)
    let titles = trace.tracks.indices.map { track in
      CSVField.text(trace.title(ofTrack: Int32(track), isMain: timeline.mainThread?.rawValue == Int32(track)))
    }
    threads = zip(trace.tracks, titles).map { $0.kind == .thread ? $1 : "" }
    tracks = zip(trace.tracks, titles).map { $0.kind == .thread ? "thread" : $1 }
    heads = TextPool(zip(threads, tracks).map { "\(launch.number),\($0),\($1)," })
    messages = RecordedMessages(trace)
    isOwnTrack = trace.tracks.indices.map { trace.isTrack(Int32($0), of: timeline.processID) }
    intervalBudgets = timeline.budgets.intervals(of: trace.strings)
    categoriesWithoutBudget = SpanTable.categoriesWithoutBudget(trace)
    hasBudgetsOnAnyThread = !timeline.budgets.intervals.isEmpty || !timeline.budgets.phases.isEmpty
    criticalTasks = Set(timeline.taskSchedule?.criticalPath.compactMap(\.slice) ?? [])
  }

  func write(to output: inout OutputBuffer) {
    let (timeline, trace, spans) = (launch.timeline, launch.timeline.trace, launch.timeline.spans)
    let selfTimes = spans.selfTimes()
    let (nameIDs, categories) = (trace.slices.name, trace.slices.category)
    var phases = PhaseCursor(timeline)
    var paths = CSVPaths(timeline, names: names)

    for row in 0..<spans.count {
      let flags = spans.flags[row]
      let (start, duration) = (spans.start[row], spans.duration[row])
      let phase = phases.phase(at: start)
      if options.mainThreadOnly, !flags.contains(.mainThread) { continue }
      if output.hasFailed { return }

      writeHead(row, flags: flags, in: trace, to: &output)
      paths.write(row, to: &output)
      output.append(UInt8(ascii: ","))
      if let phase { phases.ids.write(phase, to: &output) }
      output.append(UInt8(ascii: ","))
      output.append(start - timeline.start)
      output.append(UInt8(ascii: ","))
      output.append(duration)
      output.append(UInt8(ascii: ","))
      output.append(selfTimes[row])
      let costs = flags.contains(.phase) ? PhaseCosts(of: row, in: trace) : nil
      write(costs, to: &output)
      let limited = spans.limitedTime(of: row, in: trace, by: timeline.budgets)
      // What comes after the launch has only a budget by name.
      let isLimited = limited > 0 || start < timeline.end
      write(budget: isLimited ? budget(of: row, flags: flags, spans: spans) : nil, duration: limited, to: &output)
      output.append(UInt8(ascii: ","))
      let isCritical = !criticalTasks.isEmpty && criticalTasks.contains(row)
      write(flags, isAfter: phase == nil, isCritical: isCritical, to: &output)
      output.append(UInt8(ascii: ","))
      writeName(nameIDs[row], to: &output)
      output.append(UInt8(ascii: ","))
      writeName(categories[row], to: &output)
      output.append(UInt8(ascii: ","))
      if let costs { output.append(costs.readBytes) }
      output.append(UInt8(ascii: ","))
      if let message = messages[trace.slices.annotation[row]] {
        output.append(CSVField.text(PlainName.cut(message, to: ProgramEvents.longestMessage)))
      }
      output.append(literal: "\r\n")
    }
  }

  // MARK: Fields

  private func writeHead(_ row: Int, flags: SpanFlags, in trace: Trace, to output: inout OutputBuffer) {
    let track = Int(trace.slices.track[row])
    guard flags.contains(.async) else { return heads.write(track, to: &output) }
    // The thread that it ran on; empty for work that moved between threads.
    let ends = trace.slices.asyncThreads[row]
    let thread = ends.flatMap { $0.begin >= 0 && $0.begin == $0.end ? threads[Int($0.begin)] : nil } ?? ""
    output.append("\(launch.number),\(thread),\(tracks[track]),")
  }

  private func writeName(_ id: UInt32, to output: inout OutputBuffer) {
    let needsQuotes = names.needsQuotes(id)
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
    if names.startsFormula(id) { output.append(UInt8(ascii: "'")) }
    names.append(id, to: &output)
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
  }

  private func write(_ costs: PhaseCosts?, to output: inout OutputBuffer) {
    guard let costs else { return output.append(literal: ",,,,,") }
    for number in [
      costs.cpu, costs.minorFaults, costs.majorFaults, costs.voluntarySwitches, costs.involuntarySwitches,
    ] {
      output.append(UInt8(ascii: ","))
      output.append(number)
    }
  }

  // Made once: a set made of a list costs more than the rest of a row.
  private static let mainOrOver: SpanFlags = [.mainThread, .overBudget]
  private static let unlikeIntervals: SpanFlags = [.phase, .overBudget, .initializer]

  private func budget(of row: Int, flags: SpanFlags, spans: SpanTable) -> Int64? {
    if flags.isDisjoint(with: Self.mainOrOver), !hasBudgetsOnAnyThread { return nil }
    let slices = launch.timeline.trace.slices
    if categoriesWithoutBudget.contains(slices.category[row]) || !isOwnTrack[Int(slices.track[row])] { return nil }
    if spans.isEndLost(row) { return nil }
    if flags.contains(.mainThread), flags.isDisjoint(with: Self.unlikeIntervals) {
      return intervalBudgets[Int(slices.name[row])]
    }
    return spans.budget(of: row, in: launch.timeline.trace, by: launch.timeline.budgets)
  }

  private func write(budget: Int64?, duration: Int64, to output: inout OutputBuffer) {
    output.append(UInt8(ascii: ","))
    guard let budget else { return output.append(UInt8(ascii: ",")) }
    output.append(budget)
    output.append(UInt8(ascii: ","))
    output.append(max(0, duration - budget))
  }

  private func write(_ flags: SpanFlags, isAfter: Bool, isCritical: Bool, to output: inout OutputBuffer) {
    // By far the most rows have one flag or none.
    if !isAfter, !isCritical, launch.leftOut == nil {
      if flags.isEmpty { return }
      if flags == .mainThread { return output.append(literal: "main") }
    }
    var words = Self.words.filter { flags.contains($0.flag) }.map(\.word)
    if isCritical { words.append("critical-path") }
    if isAfter { words.append("after-launch") }
    if let leftOut = launch.leftOut { words.append("left-out:" + leftOut.rawValue) }
    output.append(words.joined(separator: " "))
  }

  private static let words: [(flag: SpanFlags, word: String)] = [
    (.mainThread, "main"), (.overBudget, "over-budget"), (.unfinished, "unfinished"), (.async, "async"),
    (.phase, "phase"), (.initializer, "initializer"),
  ]
}

/// Finds the phase of spans that come in the order of their start.
private struct PhaseCursor {
  let ids: TextPool
  private let ends: [Int64]
  private var place = 0

  init(_ timeline: LaunchTimeline) {
    ids = TextPool(timeline.phases.map { CSVField.text($0.id) })
    ends = timeline.phases.map(\.end)
  }

  /// nil after the launch.
  mutating func phase(at time: Int64) -> Int? {
    // A span that begins at the very end is still of the last phase.
    while place < ends.count, ends[place] <= time, place < ends.count - 1 || ends[place] < time { place += 1 }
    return place < ends.count ? place : nil
  }
}
