// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// What libraries cost a launch: to map them, to relocate them, to run their initialisers, and to take them down at the exit.
///
/// All times are without those in which other programs had the processor: shares of them are the same on a busy machine.
struct LoadCosts {
  private struct Costs {
    var map: Int64 = 0
    var relocation: Int64 = 0
    var initialization: Int64 = 0
  }

  let libraries: [LibraryCost]
  /// ns, of the launch.
  let total: Int64
  private let names: LibraryNames
  private var costs: [String: Costs] = [:]
  private var phases: [String: Int64] = [:]
  /// What the loader does for itself before it maps the first file, ns.
  private(set) var loaderStart: Int64 = 0
  private let hasRelocations: Bool
  private let hasInitializers: Bool
  /// What samples show of initialisers that were not timed, ns by path.
  private let sampled: [String: Int64]
  private let program: String

  /// - Parameter timed: ns of each library's initialisers, by path, from other launches of the program; empty if unknown.
  init(_ timeline: LaunchTimeline, timed: [String: Int64] = [:]) {
    let table = timeline.libraries
    libraries = table.libraries
    names = LibraryNames(libraries.map(\.name))
    hasRelocations = table.hasRelocations
    let program = timeline.executable
    self.program = program
    hasInitializers =
      !timed.isEmpty || libraries.contains { $0.initialization != nil && $0.path != program && !$0.isOpened }
    sampled = hasInitializers ? [:] : SampledInitializers(timeline).times
    total = timeline.ownTime
    for phase in timeline.phases where phase.start < timeline.end {
      phases[phase.id, default: 0] += timeline.ownTime(in: phase.start..<min(phase.end, timeline.end))
      guard phase.id == PhaseName.load else { continue }
      if let first = phase.children.map(\.start).min(), phase.start < first {
        loaderStart = timeline.ownTime(in: phase.start..<first)
      }
      for mapping in phase.children {
        let time = timeline.ownTime(in: mapping.start..<mapping.end)
        // A launch without launchprof has no agent.
        if mapping.isAgent { phases[phase.id, default: 0] -= time } else { add(mapping.id, \.map, time) }
      }
    }
    addSpans(of: timeline)
    for (path, time) in fitted(timed) { costs[path, default: Costs()].initialization = time }
    // What initialisers open has costs of its own.
    if !hasInitializers { phases[PhaseName.staticInit, default: 0] -= Self.openings(in: timeline) }
  }

  /// These times as the launch can have had them. The launches they come from may have been slower: all initialisers
  /// together take no longer than their phase.
  private func fitted(_ timed: [String: Int64]) -> [String: Int64] {
    let opened = Set(libraries.filter(\.isOpened).map(\.path))
    let sum = timed.reduce(0) { opened.contains($1.key) ? $0 : $0 + Double($1.value) }
    let phase = phase(PhaseName.staticInit)
    guard sum > phase else { return timed }
    return timed.mapValues { Int64(Double($0) * phase / sum) }
  }

  /// The time in which initialisers open libraries, ns.
  private static func openings(in timeline: LaunchTimeline) -> Int64 {
    guard let phase = timeline.phases.first(where: { $0.id == PhaseName.staticInit }) else { return 0 }
    let openings = timeline.libraries.openings.filter(\.isOnMainThread).map {
      ($0.start..<$0.start + max(0, $0.duration)).clamped(to: phase.start..<phase.end)
    }
    return Time.union(openings.filter { !$0.isEmpty }).reduce(0) { $0 + timeline.ownTime(in: $1) }
  }

  /// The median of what launches with the agent show: ns of each library's initialisers, by path.
  static func initialization(of timelines: [LaunchTimeline]) -> [String: Int64] {
    let each = timelines.map { LoadCosts($0).costs.mapValues { Double($0.initialization) } }
    return Set(each.flatMap(\.keys)).reduce(into: [:]) { times, path in
      times[path] = Int64(SessionBootstrap.median(each.map { $0[path] ?? 0 }))
    }
  }

  private mutating func add(_ file: String, _ part: WritableKeyPath<Costs, Int64>, _ time: Int64) {
    if let place = names.first(fileName(file)) { costs[libraries[place].path, default: Costs()][keyPath: part] += time }
  }

  private mutating func addSpans(of timeline: LaunchTimeline) {
    let (spans, trace) = (timeline.spans, timeline.trace)
    let relocations = Set(trace.relocations())
    for row in 0..<spans.count where spans.flags[row].contains(.mainThread) && spans.start[row] < timeline.end {
      let isRelocation = relocations.contains(row)
      guard isRelocation || spans.flags[row].contains(.initializer) else { continue }
      let annotations = trace.annotations(ofSlice: row)
      guard let file = annotations.string(isRelocation ? LS_KEY_PATH : LS_KEY_IMAGE) else { continue }
      let time = timeline.ownTime(in: spans.start[row]..<min(spans.end(row), timeline.end))
      add(file, isRelocation ? \.relocation : \.initialization, time)
    }
  }

  private func phase(_ name: String) -> Double { Double(phases[name] ?? 0) }

  /// The error of a prediction, ns: what was seen on other programs, and more where the trace leaves gaps. Who has how
  /// much of the phase of initialisers may be far from the estimate.
  func error(of time: Double, without paths: Set<String>) -> Double {
    time * (hasRelocations ? 0.2 : 0.35) + (hasInitializers ? 0 : unseenInitialization(of: paths) / 2)
  }

  /// ns that a launch without these libraries saves.
  func time(of paths: Set<String>) -> Double {
    withExit(sum(paths, \.map) + relocation(of: paths) + initialization(of: paths))
  }

  /// ns that a launch with no loader saves. A static program starts as the loader does: it asks what the processor can do,
  /// relocates itself, and makes room for the first thread.
  ///
  /// - Parameter linked: what the program links. What is loaded for another reason, such as LD_PRELOAD, cannot be saved.
  func time(ofLoader linked: Set<String>) -> Double {
    let kept = Set(libraries.filter { !linked.contains($0.path) && !$0.isOpened }.map(\.path))
    let loading = phase(PhaseName.load) + phase(PhaseName.relocate) - sum(kept, \.map) - sum(kept, \.relocation)
    return withExit(max(0, loading - Double(loaderStart)) + initialization(of: linked))
  }

  private func sum(_ paths: Set<String>, _ part: KeyPath<Costs, Int64>) -> Double {
    paths.reduce(0) { $0 + Double(costs[$1]?[keyPath: part] ?? 0) }
  }

  private func relocation(of paths: Set<String>) -> Double {
    if hasRelocations { return sum(paths, \.relocation) }
    return phase(PhaseName.relocate) * part(of: paths) { Double($0.size ?? 0) }
  }

  /// Without times of each library, samples say whose initialisers ran.
  private func initialization(of paths: Set<String>) -> Double {
    if hasInitializers { return sum(paths, \.initialization) }
    let all = sampled.values.reduce(0) { $0 + Double($1) }
    let own = sampled.reduce(0) { paths.contains($1.key) ? $0 + Double($1.value) : $0 }
    return own * min(1, phase(PhaseName.staticInit) / max(all, 1)) + unseenInitialization(of: paths)
  }

  /// What no sample saw of the phase. The program has the part of it that samples gave to the program: the kernel works
  /// for slow initialisers of its own. The libraries share the rest in proportion to what else they cost.
  private func unseenInitialization(of paths: Set<String>) -> Double {
    let all = sampled.values.reduce(0) { $0 + Double($1) }
    let unseen = max(0, phase(PhaseName.staticInit) - all) * (1 - Double(sampled[program] ?? 0) / max(all, 1))
    return unseen * part(of: paths) { sum([$0.path], \.map) + sum([$0.path], \.relocation) + 1 }
  }

  private func part(of paths: Set<String>, _ weight: (LibraryCost) -> Double) -> Double {
    let all = libraries.filter { !$0.isOpened }
    let sum = all.reduce(0) { $0 + weight($1) }
    return sum > 0 ? all.filter { paths.contains($0.path) }.reduce(0) { $0 + weight($1) } / sum : 0
  }

  /// The exit takes back what the launch mapped and wrote: what goes takes its part of the exit with it.
  private func withExit(_ time: Double) -> Double {
    let exit = phase(PhaseName.exit)
    let rest = Double(total) - exit - phase(PhaseName.exec)
    return rest > 0 ? time + exit * min(1, time / rest) : time
  }
}
