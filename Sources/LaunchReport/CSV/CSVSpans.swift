internal import LaunchAnalysis
internal import LaunchTrace

/// One row a span. Written straight from the columns: a million rows make no string.
struct CSVSpans {
  static let header =
    "launch,thread,track,path,phase,start_ns,duration_ns,self_ns,cpu_ns,minor_faults,major_faults,"
    + "voluntary_switches,involuntary_switches,budget_ns,over_budget_ns,flags,name,category,read_bytes"
    + CSVField.lineEnd

  private let launch: LaunchSet.Launch
  private let options: ReportOptions
  private let names: NameTable
  private let threads: [String]
  private let tracks: [String]
  private let intervalBudgets: [Int64]

  init(_ launch: LaunchSet.Launch, options: ReportOptions) {
    self.launch = launch
    self.options = options
    let (timeline, trace) = (launch.timeline, launch.timeline.trace)
    names = NameTable(trace.strings) { CSVField.doubled(PlainName.escaped($0, .pathSeparator)) }
    let titles = trace.tracks.indices.map { track in
      CSVField.text(trace.title(ofTrack: Int32(track), isMain: timeline.mainThread?.rawValue == Int32(track)))
    }
    threads = zip(trace.tracks, titles).map { $0.kind == .thread ? $1 : "" }
    tracks = zip(trace.tracks, titles).map { $0.kind == .thread ? "thread" : $1 }
    intervalBudgets = timeline.budgets.intervals(of: trace.strings)
  }

  func write(to output: inout OutputBuffer) {
    let (timeline, trace, spans) = (launch.timeline, launch.timeline.trace, launch.timeline.spans)
    let selfTimes = spans.selfTimes()
    let (nameIDs, categories) = (trace.slices.name, trace.slices.category)
    let asyncThreads = trace.slices.asyncThreads
    let phases = timeline.phases.map { (end: $0.end, id: CSVField.text($0.id)) }
    let launchNumber = String(launch.number) + ","
    let leftOut = launch.leftOut.map { " left-out:" + $0.rawValue } ?? ""
    var phase = 0
    var chain: [UInt32] = []

    for row in 0..<spans.count {
      let flags = spans.flags[row]
      if options.mainThreadOnly, !flags.contains(.mainThread) { continue }
      if output.hasFailed { return }
      let (start, duration) = (spans.start[row], spans.duration[row])
      while phase < phases.count, phases[phase].end <= start, phase < phases.count - 1 || start > phases[phase].end {
        phase += 1
      }

      output.append(launchNumber)
      output.append(thread(of: row, asyncThreads: asyncThreads, spans: spans))
      output.append(UInt8(ascii: ","))
      output.append(tracks[Int(trace.slices.track[row])])
      output.append(UInt8(ascii: ","))
      writePath(row, spans: spans, nameIDs: nameIDs, chain: &chain, to: &output)
      output.append(UInt8(ascii: ","))
      if phase < phases.count { output.append(phases[phase].id) }
      for number in [start - timeline.start, duration, selfTimes[row]] {
        output.append(UInt8(ascii: ","))
        output.append(number)
      }
      let costs = flags.contains(.phase) ? PhaseCosts(of: row, in: trace) : nil
      write(costs, to: &output)
      write(budget: budget(of: row, flags: flags, spans: spans), duration: duration, to: &output)
      output.append(UInt8(ascii: ","))
      write(flags, isAfter: phase >= phases.count, leftOut: leftOut, to: &output)
      output.append(UInt8(ascii: ","))
      writeName(nameIDs[row], to: &output)
      output.append(UInt8(ascii: ","))
      writeName(categories[row], to: &output)
      output.append(UInt8(ascii: ","))
      if let costs { output.append(costs.readBytes) }
      output.append(UInt8(ascii: "\r"))
      output.append(UInt8(ascii: "\n"))
    }
  }

  // MARK: Fields

  /// The thread that it ran on; empty for work that moved between threads.
  private func thread(of row: Int, asyncThreads: AsyncThreads, spans: SpanTable) -> String {
    guard spans.flags[row].contains(.async), !spans.flags[row].contains(.adopted) else {
      return threads[Int(spans.track[row])]
    }
    guard let ends = asyncThreads[row], ends.begin >= 0, ends.begin == ends.end else { return "" }
    return threads[Int(ends.begin)]
  }

  private func writePath(
    _ row: Int, spans: SpanTable, nameIDs: [UInt32], chain: inout [UInt32], to output: inout OutputBuffer
  ) {
    var needsQuotes = false
    var outer = row
    chain.removeAll(keepingCapacity: true)
    while outer >= 0 {
      chain.append(nameIDs[outer])
      if names.needsQuotes[Int(nameIDs[outer])] { needsQuotes = true }
      outer = Int(spans.parent[outer])
    }
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
    var place = chain.count - 1
    if names.startsFormula(chain[place]) { output.append(UInt8(ascii: "'")) }
    while place >= 0 {
      names.append(chain[place], to: &output)
      if place > 0 { output.append(UInt8(ascii: ";")) }
      place -= 1
    }
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
  }

  private func writeName(_ id: UInt32, to output: inout OutputBuffer) {
    let needsQuotes = names.needsQuotes[Int(id)]
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
    if names.startsFormula(id) { output.append(UInt8(ascii: "'")) }
    names.append(id, to: &output)
    if needsQuotes { output.append(UInt8(ascii: "\"")) }
  }

  private func write(_ costs: PhaseCosts?, to output: inout OutputBuffer) {
    guard let costs else { return output.append(",,,,,") }
    for number in [
      costs.cpu, costs.minorFaults, costs.majorFaults, costs.voluntarySwitches, costs.involuntarySwitches,
    ] {
      output.append(UInt8(ascii: ","))
      output.append(number)
    }
  }

  private func budget(of row: Int, flags: SpanFlags, spans: SpanTable) -> Int64? {
    guard flags.contains(.mainThread) else { return nil }
    if flags.isDisjoint(with: [.phase, .overBudget]) {
      return intervalBudgets[Int(launch.timeline.trace.slices.name[row])]
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

  private func write(_ flags: SpanFlags, isAfter: Bool, leftOut: String, to output: inout OutputBuffer) {
    // By far the most rows have one flag or none.
    if flags == .mainThread, !isAfter, leftOut.isEmpty { return output.append("main") }
    var words: [String] = []
    for (flag, word) in Self.words where flags.contains(flag) { words.append(word) }
    if isAfter { words.append("after-launch") }
    output.append(words.joined(separator: " "))
    output.append(words.isEmpty ? String(leftOut.dropFirst()) : leftOut)
  }

  private static let words: [(SpanFlags, String)] = [
    (.mainThread, "main"), (.overBudget, "over-budget"), (.unfinished, "unfinished"), (.async, "async"),
    (.phase, "phase"), (.initializer, "initializer"),
  ]
}

extension NameTable {
  func startsFormula(_ id: UInt32) -> Bool { firstByte(id).map(CSVField.startsFormula) ?? false }
}
