// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// The values of one launch that are compared, and where it comes from.
package struct Measurement: Sendable {
  /// The file that it was read from.
  package var name: String
  /// Why it does not count.
  package var leftOut: LaunchSet.LeftOut?
  /// How it failed; nil if it did not, or if that is not known.
  package var failure: LaunchFailure?
  package var provenance: Provenance
  package var endMilestone: String
  package var values: [Metric: Double]
  /// ns by path of the flame tree with what samples saw (`~`), tracks first; only within the launch. Of a large trace, it lacks the smallest paths.
  package var flame: [[String]: Int64]
  /// ns of the main thread's waits, by path of the same tree with the state and the reason below; nil if they are not known.
  package var waits: [[String]: Int64]?
  /// True when the CPU time of the process is that of the launch, and not also of what came later.
  package var isCPUOfLaunch: Bool
  /// From what the trace knows the waits, as `Observation.WaitStates`; nil if that is not known.
  package var waitStates: String?
  /// How the launch was observed from outside, as `Observation.means`; nil if that is not known.
  package var means: String?
  /// nil if mappings were not observed.
  package var loaded: LoadedLibraries?
  /// nil if first uses of Swift's runtime were not observed.
  package var globals: FirstTimes?
  package var lookups: FirstTimes?
  /// How many threads the program had; nil if that was not observed.
  package var threads: Int?
  /// True if times below 0.5 % of the total may be missing: a history keeps only the longest of many, and an earlier
  /// version kept none.
  package var lacksShortParts = false
  /// True if a part of its trace could not be read. Then any of its values may be too small.
  package var isDamaged = false

  package init(
    name: String, leftOut: LaunchSet.LeftOut?, provenance: Provenance, endMilestone: String, values: [Metric: Double],
    flame: [[String]: Int64], isCPUOfLaunch: Bool
  ) {
    self.name = name
    self.leftOut = leftOut
    self.provenance = provenance
    self.endMilestone = endMilestone
    self.values = values
    self.flame = flame
    self.isCPUOfLaunch = isCPUOfLaunch
  }

  package init(_ launch: LaunchSet.Launch) {
    let timeline = launch.timeline
    name = launch.name
    // A set of one launch leaves nothing out.
    leftOut = launch.leftOut ?? timeline.defect
    failure = leftOut == .failed ? LaunchFailure(timeline) : nil
    isDamaged = !timeline.trace.diagnostics.isEmpty || timeline.trace.statistics.truncated
    provenance = timeline.provenance
    // The samples of all threads add up to another time than that of a launch.
    provenance.fields[.end] = timeline.trace.hasTimes ? timeline.endMilestone : "sum of samples"
    endMilestone = timeline.endMilestone
    values = [.total: Double(timeline.total)]
    // If a launch is over after 400 ms of a second, the CPU time of that second says nothing about it.
    isCPUOfLaunch = timeline.isUsageOfLaunch
    // First: the flame tree then comes from the tree of spans that this keeps.
    let waiting = MainThreadWaits(timeline)
    let paths = FlamePaths(timeline.largeMergedFlame)
    flame = paths.times
    waits = waiting?.times(in: paths)
    means = timeline.observation?.means
    waitStates = timeline.observation?.waitStates?.rawValue
    values.merge(Self.resources(timeline)) { $1 }
    addSpans(timeline)
    add(Self.longest(timeline), as: .longest, in: timeline.total)
    loaded = LoadedLibraries(timeline)
    values[.mappedLibraries] = loaded.map { Double($0.mapped.count) }
    values[.openedLibraries] = loaded.map { Double($0.opened.count) }
    values[.mappedBytes] = loaded.map { Double($0.bytes) }
    globals = FirstTimes.globals(of: timeline)
    lookups = FirstTimes.lookups(of: timeline)
    values[.lazyGlobals] = globals.map { Double($0.names.count) }
    values[.firstLookups] = lookups.map { Double($0.names.count) }
    // Only where the kernel reported the switches of all threads.
    let isEstimated = timeline.context.facts.hasEstimatedStates
    if timeline.trace.switches.count > 0, !isEstimated {
      threads = timeline.trace.tracks.count { $0.kind == .thread && $0.processID == timeline.processID }
    }
    if let waiting {
      if !isEstimated { values[.onCore] = Double(timeline.total - timeline.criticalPath.time(in: .runnable)) }
      for state in ThreadState.waits { values[.state(state)] = Double(waiting.totals[state] ?? 0) }
    }
    for milestone in timeline.milestones {
      values[Metric(.milestone, [milestone.id])] = Double(milestone.time - timeline.start)
    }
    add(timeline.phases, below: [], spans: timeline.spans)
    add(timeline.parallelPhases, below: [], spans: timeline.spans)
  }

  /// With what another launch of the same program did for the first time: only that one was watched for it.
  package func with(firstTimesOf watched: Measurement) -> Measurement {
    var all = self
    (all.globals, all.lookups) = (watched.globals, watched.lookups)
    for metric in Metric.firstTimes { all.values[metric] = watched.values[metric] }
    return all
  }

  /// The counted launches of a set, and those that are left out.
  package static func all(_ launches: LaunchSet) -> [Measurement] { launches.launches.map(Measurement.init) }

  /// A set of launches that were measured one by one, or in smaller sets. If there are several populations, only one
  /// counts.
  package static func set(_ launches: [Measurement]) -> [Measurement] {
    var launches = launches
    let whole = launches.indices.filter { launches[$0].leftOut?.isPopulation != false }
    let left = LaunchSet.LeftOut.populations(of: whole.map { launches[$0].population })
    for (place, reason) in zip(whole, left) { launches[place].leftOut = reason }
    return launches
  }

  private var population: LaunchSet.LeftOut? { leftOut ?? ownPopulation }

  private var ownPopulation: LaunchSet.LeftOut? {
    LaunchSet.LeftOut(kind: provenance.fields[.kind], context: provenance.fields[.context])
  }

  /// The unusual population of which all launches that count are; nil if they are usual ones, or differ.
  package static func population(_ launches: some Sequence<Measurement>) -> LaunchSet.LeftOut? {
    let all = Set(launches.lazy.filter { $0.leftOut == nil }.map(\.ownPopulation))
    return all.count == 1 ? all.first ?? nil : nil
  }

  /// The same launch with another name for the program's file, which names its own initialisers and relocations.
  func calling(program name: String) -> Measurement {
    let own = provenance.program
    var renamed = self
    guard own != name, !own.isEmpty, !name.isEmpty else { return self }
    if let time = renamed.values.removeValue(forKey: Metric(.library, [own])) {
      renamed.values[Metric(.library, [name]), default: 0] += time
    }
    renamed.flame = Self.flame(flame, calling: own, as: name)
    renamed.waits = waits.map { Self.flame($0, calling: own, as: name) }
    return renamed
  }

  /// Initialisers are phases too, and there can be hundreds, so they count by library. The agent is not the program's.
  private mutating func add(_ phases: [Phase], below outer: [String], spans: SpanTable) {
    for phase in phases where phase.slice.map({ !spans.flags[$0].contains(.initializer) }) ?? !phase.isAgent {
      let path = outer + [phase.id]
      let (metric, time) = (Metric(.phase, path), Double(phase.duration))
      if let others = values[metric] {
        let longest = Metric(.longestPhase, path)
        values[longest] = max(values[longest] ?? others, time)
      }
      values[metric, default: 0] += time
      add(phase.children, below: path, spans: spans)
    }
  }

  /// The value that a budget of a metric limits; nil if it is not known. A launch without a part took no time there, but
  /// one without a milestone never reached it.
  func limited(_ metric: Metric) -> Double? {
    if let value = values[metric] { return value }
    return switch metric.group {
    case .milestone: .infinity
    case .total, .resource, .state: nil
    // A phase that occurs once is the longest of its path.
    case .longestPhase: values[Metric(.phase, metric.path)] ?? 0
    case .phase, .library, .interval, .longest: 0
    }
  }

  private static func resources(_ timeline: LaunchTimeline) -> [Metric: Double] {
    guard let process = timeline.process else { return [:] }
    let counts: [Metric: Int64?] = [
      .cpu: process.cpu, .minorFaults: process.minorFaults, .majorFaults: process.majorFaults,
      .voluntarySwitches: process.voluntarySwitches, .involuntarySwitches: process.involuntarySwitches,
      .readBytes: process.readBytes, .residentBytes: process.maxResidentBytes,
    ]
    return counts.compactMapValues { $0.map(Double.init) }
  }

  /// Spans that began within the launch: intervals by name, on all threads of the program; initialisers and
  /// relocations by library, on the main thread.
  private mutating func addSpans(_ timeline: LaunchTimeline) {
    let (spans, trace) = (timeline.spans, timeline.trace)
    var intervals = TimesByName(trace.strings)
    let loading = trace.strings.id(of: CategoryName.library)?.rawValue
    let others = SpanTable.categoriesWithoutBudget(trace)
    let runtime = [CategoryName.global, CategoryName.lookup].map { trace.strings.id(of: $0)?.rawValue }
    let files = LibraryFiles(timeline.libraries.libraries.map(\.name))
    for row in 0..<spans.count
    where spans.start[row] < timeline.extendedEnd && !runtime.contains(trace.slices.category[row]) {
      let flags = spans.flags[row]
      let isMain = flags.contains(.mainThread)
      if !isMain {
        let isOfProgram = trace.tracks[Int(spans.track[row])].processID == timeline.processID
        guard isOfProgram, !flags.contains(.initializer), !others.contains(trace.slices.category[row]) else { continue }
      }
      let time = min(spans.end(row), timeline.extendedEnd) - spans.start[row]
      let annotations = trace.annotations(ofSlice: row)
      if flags.contains(.initializer) {
        let image = annotations.string(LS_KEY_IMAGE) ?? ""
        values[Metric(.library, [files.file(of: fileName(image))]), default: 0] += Double(time)
      } else if trace.slices.category[row] == loading, let path = annotations.string(LS_KEY_PATH) {
        // A string for the relocations of one library; an array for those of a dlopen.
        values[Metric(.library, [files.file(of: fileName(path))]), default: 0] += Double(time)
      } else if !flags.contains(.phase), !Self.isInside(row, ofItsName: timeline) {
        intervals.add(time, of: trace.slices.name[row])
      }
    }
    add(intervals, as: .interval, in: timeline.total)
  }

  /// With more names of intervals, those of less than a ten-thousandth of the launch are left out. In a crafted trace, each
  /// interval has another name.
  private static let mostNames = 4096

  private mutating func add(_ times: TimesByName, as group: Metric.Group, in total: Int64) {
    let least = TreeGrain(most: Self.mostNames, kept: total / 10_000).least(times.values)
    for (name, time) in times.pairs(least: least) { values[Metric(group, [name])] = Double(time) }
    lacksShortParts = lacksShortParts || least > 0
  }

  /// The longest interval of each name, on any thread, including async ones: an explicit budget applies to all of them.
  private static func longest(_ timeline: LaunchTimeline) -> TimesByName {
    let (spans, slices, strings) = (timeline.spans, timeline.trace.slices, timeline.trace.strings)
    let others = [CategoryName.library, CategoryName.global, CategoryName.lookup].map {
      strings.id(of: $0)?.rawValue ?? .max
    }
    var times = TimesByName(strings)
    for row in 0..<spans.count
    where spans.start[row] < timeline.extendedEnd && !others.contains(slices.category[row])
      && spans.flags[row].isDisjoint(with: [.initializer, .phase])
      && timeline.trace.isTrack(spans.track[row], of: timeline.processID)
    {
      times.keepLongest(spans.duration[row], of: slices.name[row])
    }
    return times
  }

  /// The largest number of slices around a call in which its name is looked for. A file may have a million.
  private static let mostAround = 1000

  /// True for a recursive call, because the outermost call's time includes it.
  private static func isInside(_ row: Int, ofItsName timeline: LaunchTimeline) -> Bool {
    let (names, parent) = (timeline.trace.slices.name, timeline.spans.parent)
    var (around, left) = (Int(parent[row]), mostAround)
    while around >= 0, left > 0 {
      if names[around] == names[row] { return true }
      (around, left) = (Int(parent[around]), left - 1)
    }
    return false
  }
}
