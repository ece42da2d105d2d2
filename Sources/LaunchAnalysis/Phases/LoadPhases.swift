// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The phases up to `main`: where each ends, and what it contains.
struct LoadPhases {
  struct Boundary {
    /// The phase that ends here.
    var phase: String
    var time: Int64
    var source: Source
  }

  /// In order.
  let boundaries: [Boundary]
  /// The start of `main` with its source; nil if unknown.
  let main: LoadFacts.Point?
  private let load: LoadFacts

  /// - Parameters:
  ///   - points: `preinit` is where the recorder in the program took over: all is relocated, no initialiser has run. A
  ///     program that got no further than the loader or an initialiser died there, at `end`.
  ///   - lastInitializer: the end of the last initialiser that was timed.
  init(_ points: LaunchPoints, lastInitializer: Int64?) {
    let (load, preinit) = (points.load, points.preinit)
    self.load = load
    var found: [Boundary] = []
    func add(_ phase: String, _ time: Int64, _ source: Source) {
      // A boundary before the preceding one would make an empty phase.
      if time >= found.last?.time ?? points.start { found.append(Boundary(phase: phase, time: time, source: source)) }
    }
    if let began = points.endOfExecPhase { add(PhaseName.exec, began.time, began.source) }
    if let mapped = load.libraries.last { add(PhaseName.load, mapped.time, mapped.source) }
    // Without the mappings, loading and relocating look the same.
    let last = load.libraries.isEmpty ? PhaseName.load : PhaseName.relocate
    if let preinit {
      add(last, preinit, points.startSource == .estimated ? .estimated : .preinit)
    } else if let relocated = load.relocated {
      add(last, relocated.time, relocated.source)
    }
    main = points.main.map { LoadFacts.Point(time: $0, source: .api) } ?? load.main
    if let main {
      add(PhaseName.staticInit, main.time, preinit == nil ? main.source : .preinit)
    } else if let preinit {
      // The launch never reached `main`: `static-init` ends with the last initialiser.
      add(PhaseName.staticInit, max(preinit, lastInitializer ?? preinit), .preinit)
    } else if let last = load.entry ?? load.relocated ?? load.loaderStarted, load.isWatched {
      let isRelocated = load.entry != nil || load.relocated != nil
      add(isRelocated ? PhaseName.staticInit : PhaseName.load, points.end, last.source)
    }
    boundaries = found
  }

  /// The contents of a phase: in `exec` the programs that were executed before, in `load` the libraries. A trace may
  /// have many phases of these names.
  func children(of phase: Phase) -> [Phase] {
    let isExec = phase.id == PhaseName.exec
    let points = isExec ? load.programs : phase.id == PhaseName.load ? load.libraries : []
    // A program lasts until the next one starts. The time of a library starts with the one before it.
    let first = max(isExec ? 1 : 0, points.partitioningIndex { $0.time >= phase.start })
    let last = min(points.count - 1, points.partitioningIndex { $0.time > phase.end })
    guard first <= last, phase.duration > 0 else { return [] }
    return (first...last).map { place in
      let end = points[place].time
      let point = points[isExec ? place - 1 : place]
      let start = max(place > 0 ? points[place - 1].time : phase.start, isExec ? .min : end - (point.duration ?? .max))
      return Phase(id: point.title, start: start, end: end, source: point.source)
        .clipped(from: phase.start, to: phase.end)
    }
  }
}
