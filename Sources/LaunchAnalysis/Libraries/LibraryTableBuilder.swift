// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// Collects what a trace says about libraries: the observer's mappings, the agent's relocations, and all initialisers.
struct LibraryTableBuilder {
  private let timeline: LaunchTimeline
  private var costs: [String: LibraryCost] = [:]
  private var order: [String] = []
  /// Paths of launchprof's own library.
  private var agent: Set<String> = []
  private var names = LibraryNames([])
  private let knowsStates: Bool

  init(_ timeline: LaunchTimeline) {
    self.timeline = timeline
    knowsStates = timeline.states.isKnown
  }

  consuming func build() -> LibraryTable {
    var table = LibraryTable()
    addMappings()
    addRelocations()
    addInitializers()
    table.hasRelocations = costs.values.contains { $0.relocation != nil }
    table.hasInitializers = timeline.recorder != nil || costs.values.contains { $0.initializers > 0 }
    table.openings = openings()
    for path in table.openings.flatMap(\.paths) { costs[path]?.isOpened = true }
    let rows = order.filter { !agent.contains($0) }.compactMap { costs[$0] }
    table.libraries = rows.enumerated().sorted {
      ($1.element.own, $0.offset) < ($0.element.own, $1.offset)
    }.map(\.element)
    return table
  }

  private mutating func update(_ path: String, _ change: (inout LibraryCost) -> Void) {
    if costs[path] == nil {
      costs[path] = LibraryCost(path: path, loads: 0, initializers: 0, isOpened: false)
      order.append(path)
      names.add(fileName(path))
    }
    change(&costs[path]!)
  }

  // MARK: Mappings

  /// A library's time runs from the library before it on its thread: during loading nothing else happens there.
  private mutating func addMappings() {
    let trace = timeline.trace
    guard let name = trace.strings.id(of: LS_EVENT_MAP)?.rawValue else { return }
    let loading = LoadFacts(trace, processID: timeline.processID, latest: timeline.end)
    let starts = [loading.loaderStarted?.time ?? timeline.start] + loading.libraries.map(\.time)
    let ranges = Dictionary(
      zip(loading.libraries, starts).map {
        ($0.path, $0.time - max(0, min($0.time - $1, $0.duration ?? .max))..<$0.time)
      },
      uniquingKeysWith: { first, _ in first })
    for row in trace.instants(of: CategoryName.library)
    where trace.instants.name[row] == name && trace.instants.time[row] <= timeline.end
      && trace.isTrack(trace.instants.track[row], of: timeline.processID)
    {
      let annotations = trace.annotations(ofInstant: row)
      guard let path = annotations.string(LS_KEY_PATH) else { continue }
      if annotations.isAgent { agent.insert(path) }
      let heldUp = ranges[path].flatMap { heldUpTime(in: $0) }
      update(path) { cost in
        cost.loads += 1
        cost.size = cost.size ?? annotations.integer(LS_KEY_SIZE)
        if cost.map == nil, let range = ranges[path] {
          cost.map = Int64(range.count)
          cost.heldUp = heldUp
        }
        if cost.needed == nil, annotations[LS_KEY_NEEDED] != nil { cost.needed = annotations.strings(LS_KEY_NEEDED) }
      }
    }
  }

  // MARK: Slices

  private mutating func addRelocations() {
    for row in timeline.trace.relocations().filter(timeline.isOfLaunch) {
      guard let path = annotations(row).string(LS_KEY_PATH) else { continue }
      let (time, heldUp) = (clipped(row), heldUpTime(row))
      update(known(path)) { cost in
        cost.relocation = (cost.relocation ?? 0) + time
        cost.add(heldUp)
        cost.relocations.append(row)
      }
    }
  }

  private mutating func addInitializers() {
    for row in rows(of: CategoryName.initializer) {
      guard let image = annotations(row).string(LS_KEY_IMAGE), image.hasPrefix("/") else { continue }
      let (time, heldUp) = (clipped(row), heldUpTime(row))
      update(known(image)) { cost in
        cost.initialization = (cost.initialization ?? 0) + time
        cost.add(heldUp)
        cost.initializers += 1
      }
    }
    // A library that an initialiser opens has its own costs, so they do not count for the initialiser.
    guard let name = timeline.trace.strings.id(of: LS_EVENT_DLOPEN)?.rawValue else { return }
    let around = timeline.spans.innermost { timeline.spans.flags[$0].contains(.initializer) }
    for row in rows(of: CategoryName.library) where timeline.trace.slices.name[row] == name && around[row] >= 0 {
      guard let image = annotations(Int(around[row])).string(LS_KEY_IMAGE) else { continue }
      let (time, heldUp) = (clipped(row), heldUpTime(row))
      update(known(image)) { cost in
        cost.initialization = max(0, (cost.initialization ?? 0) - time)
        cost.add(heldUp.map { -min($0, cost.heldUp ?? 0) })
      }
    }
  }

  private func rows(of category: String) -> [SliceIndex] {
    timeline.trace.slices(of: category).filter(timeline.isOfLaunch)
  }

  private func annotations(_ row: SliceIndex) -> AnnotationRow { timeline.trace.annotations(ofSlice: row) }

  private func clipped(_ row: SliceIndex) -> Int64 { Int64(timeline.part(row).count) }

  private func heldUpTime(in range: Range<Int64>) -> Int64? {
    knowsStates ? timeline.states.totals(from: range.lowerBound, to: range.upperBound).heldUp : nil
  }

  /// nil for another thread's slice, too.
  private func heldUpTime(_ row: SliceIndex) -> Int64? {
    timeline.spans.flags[row].contains(.mainThread) ? heldUpTime(in: timeline.part(row)) : nil
  }

  /// The loader names a library by the link that it found, the kernel by the file. They are one library if exactly
  /// one file name continues the link's.
  private func known(_ path: String) -> String {
    if costs[path] != nil { return path }
    return names.only(fileName(path)).map { order[$0] } ?? path
  }

  // MARK: dlopen

  private func openings() -> [LibraryOpening] {
    guard let name = timeline.trace.strings.id(of: LS_EVENT_DLOPEN)?.rawValue else { return [] }
    return rows(of: CategoryName.library).filter { timeline.trace.slices.name[$0] == name }.map { row in
      let annotations = annotations(row)
      let track = timeline.trace.tracks[Int(timeline.trace.slices.track[row])]
      return LibraryOpening(
        paths: annotations.oneOrMoreStrings(LS_KEY_PATH).map(known),
        start: timeline.part(row).lowerBound, duration: clipped(row), thread: timeline.trace.strings[track.name],
        threadID: track.threadID, isOnMainThread: timeline.spans.flags[row].contains(.mainThread),
        source: annotations.string(LS_KEY_SOURCE).flatMap(Source.init) ?? .breakpoint,
        lacksInitializers: annotations.bool(LS_KEY_LACKS_INITIALIZERS) ?? false)
    }
  }
}

extension LibraryCost {
  fileprivate mutating func add(_ time: Int64?) {
    if let time { heldUp = (heldUp ?? 0) + time }
  }
}
