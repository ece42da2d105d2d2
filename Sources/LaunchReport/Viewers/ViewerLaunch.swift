// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem
internal import LaunchTrace

/// A launch as the viewers of others show one: threads with their spans and samples, and work that no thread holds.
///
/// It ends where the reports end (D409).
struct ViewerLaunch {
  struct Thread {
    /// Row of `Trace.tracks`; nil for what no thread of the trace holds.
    var track: Int32?
    var title: String
    var isMain: Bool
    /// In the order of time, outer ones first.
    var spans: [ViewerSpan] = []
    /// Rows of `Trace.samples`.
    var samples: [Int32] = []
    /// Rows of `Trace.instants` that the program recorded.
    var instants: [Int32] = []
  }

  let launch: LaunchSet.Launch
  var timeline: LaunchTimeline { launch.timeline }
  /// The main thread comes first; threads without anything to show are left out.
  private(set) var threads: [Thread] = []
  /// Spans on lanes that belong to no thread.
  private(set) var async: [ViewerSpan] = []
  /// Phases that no slice is of, such as `load`.
  private(set) var derivedPhases: [Phase] = []
  /// Phases that were recorded, by their slice.
  private(set) var phases: [SliceIndex: Phase] = [:]

  init(_ launch: LaunchSet.Launch, mainThreadOnly: Bool) {
    self.launch = launch
    let timeline = launch.timeline
    let main = timeline.mainThread?.rawValue
    func title(_ track: Int32) -> String { timeline.trace.title(ofTrack: track, isMain: track == main) }
    threads = [Thread(track: main, title: main.map(title) ?? "launch", isMain: true)]
    // By track: the thread that shows it, -1 for lanes of their own.
    var places = [Int](repeating: -1, count: timeline.trace.tracks.count)
    for (row, track) in timeline.trace.tracks.enumerated() where track.kind == .thread {
      if Int32(row) == main {
        places[row] = 0
      } else {
        places[row] = threads.count
        threads.append(Thread(track: Int32(row), title: title(Int32(row)), isMain: false))
      }
    }
    // Spans that would overlap others of a thread without nesting are on a lane below it.
    for (row, track) in timeline.trace.tracks.enumerated() where track.kind == .async {
      if let parent = track.parent, timeline.trace.tracks[Int(parent.rawValue)].kind == .thread {
        places[row] = places[Int(parent.rawValue)]
      }
    }
    addSpans(places, mainThreadOnly: mainThreadOnly)
    addPhases(mainThreadOnly: mainThreadOnly)
    addSamples(places, mainThreadOnly: mainThreadOnly)
    for row in timeline.shownInstants() {
      let track = Int(timeline.trace.instants.track[Int(row)])
      // Instants of lanes that belong to no thread are the main thread's.
      let place = timeline.trace.tracks[track].kind == .thread ? places[track] : 0
      if mainThreadOnly ? place == 0 : place >= 0 { threads[place].instants.append(row) }
    }
    threads.removeAll { !$0.isMain && $0.spans.isEmpty && $0.samples.isEmpty && $0.instants.isEmpty }
  }

  private mutating func addSpans(_ places: [Int], mainThreadOnly: Bool) {
    let spans = timeline.spans
    for row in 0..<spans.count where timeline.isShown(row) {
      if mainThreadOnly, !spans.flags[row].contains(.mainThread) { continue }
      let span = ViewerSpan(.slice(row))
      let place = places[Int(spans.track[row])]
      if place >= 0 { threads[place].spans.append(span) } else { async.append(span) }
    }
    // Spans may have been narrowed or cut: then they no longer come in the order of their starts.
    for place in threads.indices { threads[place].spans = sorted(threads[place].spans) }
    async = sorted(async)
  }

  private func sorted(_ spans: [ViewerSpan]) -> [ViewerSpan] {
    let isSorted = zip(spans, spans.dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? spans : spans.sorted(by: precedes)
  }

  /// Phases that no thread recorded, such as `load`, are the main thread's.
  private mutating func addPhases(mainThreadOnly: Bool) {
    let derived = collect(timeline.phases)
    threads[0].spans = sorted(derived + threads[0].spans)
    async = sorted(async + collect(timeline.parallelPhases(mainThreadOnly: mainThreadOnly)))
  }

  /// - Returns: those that no thread recorded.
  private mutating func collect(_ phases: [Phase]) -> [ViewerSpan] {
    var derived: [ViewerSpan] = []
    // The one phase of a trace that has none says nothing.
    for phase in phases where phase.id != PhaseName.trace {
      if let slice = phase.slice {
        self.phases[slice] = phase
      } else {
        derived.append(ViewerSpan(.phase(derivedPhases.count)))
        derivedPhases.append(phase)
      }
      derived += collect(phase.children)
    }
    return derived
  }

  private mutating func addSamples(_ places: [Int], mainThreadOnly: Bool) {
    let samples = timeline.trace.samples
    var unknown = Thread(track: nil, title: "unknown thread", isMain: false)
    let window = timeline.window
    for row in 0..<samples.count where samples.stack[row] >= 0 && window.contains(samples.time[row]) {
      let track = samples.track[row]
      let place = track < 0 ? -1 : places[Int(track)]
      if mainThreadOnly, place != 0 { continue }
      if place >= 0 {
        threads[place].samples.append(Int32(truncatingIfNeeded: row))
      } else {
        unknown.samples.append(Int32(truncatingIfNeeded: row))
      }
    }
    if !unknown.samples.isEmpty { threads.append(unknown) }
  }

  /// The launch in the title of a file that holds several.
  var title: String {
    let file = fileName(launch.name)
    return file.isEmpty ? "launch \(launch.number)" : "launch \(launch.number), \(file)"
  }
}
