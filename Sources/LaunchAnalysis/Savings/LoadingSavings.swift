// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

/// What other libraries, or other ways to link them, would save of one launch.
struct LoadingSavings {
  private let graph: LibraryGraph
  private let costs: LoadCosts
  private let opensLibraries: Bool
  /// The library that does the program's work, as libpython does that of python3; nil if none does.
  private let worker: String?
  private(set) var savings: [Saving] = []
  private(set) var refused: [RefusedSaving] = []

  /// nil when the trace does not say which libraries the program asks for.
  ///
  /// - Parameter timed: as in `LoadCosts`.
  init?(_ timeline: LaunchTimeline, timed: [String: Int64] = [:]) {
    costs = LoadCosts(timeline, timed: timed)
    guard let graph = LibraryGraph(costs.libraries, program: timeline.executable), costs.total > 0 else { return nil }
    self.graph = graph
    opensLibraries = !timeline.libraries.openings.isEmpty
    worker = timeline.mostUsedImage
    addStaticLinking()
    addEssentials()
    addDropped()
  }

  /// - Parameters:
  ///   - time: ns; nil for that of the libraries that go.
  ///   - leastError: relative.
  ///   - further: ns of the error.
  private mutating func add(
    _ change: LaunchChange, _ subject: String = "", time: Double? = nil, gone: Set<String>, leastError: Double = 0,
    further: Double = 0
  ) {
    guard !gone.isEmpty else { return }
    let time = time ?? costs.time(of: gone)
    let share = min(1, time / Double(costs.total))
    let error = max(leastError * share, (costs.error(of: time, without: gone) + further) / Double(costs.total))
    savings.append(Saving(change, subject, share: share, error: error, gone: gone.map(fileName).sorted()))
  }

  private mutating func refuse(_ change: LaunchChange, _ reason: String) {
    refused.append(RefusedSaving(change: change, reason: reason))
  }

  private mutating func addStaticLinking() {
    let all = graph.all
    guard !all.isEmpty else { return }
    let swift = all.filter { SwiftLibraries.contains(fileName($0)) }
    // A library of the program's own would bring the shared runtime back, beside the one in the program.
    let users = all.subtracting(swift).filter { path in graph.needs(path).contains(where: swift.contains) }
    if let user = users.min() {
      let reason = "\(fileName(user)) is a shared library of Swift code: link it statically first"
      for change in [LaunchChange.staticStdlib, .staticExecutable] { refuse(change, reason) }
      return
    }
    add(.staticStdlib, gone: swift)
    if opensLibraries {
      refuse(.staticExecutable, "the launch opens libraries, which a static executable cannot do")
    } else if all.contains(where: { fileName($0).hasPrefix("libFoundationNetworking.") }) {
      refuse(.staticExecutable, "FoundationNetworking needs libraries that have no static form")
    } else {
      // A static program starts much as the loader does, but it is another program.
      add(.staticExecutable, time: costs.time(ofLoader: all), gone: all, further: Double(costs.loaderStart) / 2)
    }
  }

  private mutating func addEssentials() {
    let direct = graph.direct
    guard direct.contains(where: { fileName($0).hasPrefix("libFoundation.") }),
      let essentials = graph.all.first(where: { SwiftLibraries.isEssentials(fileName($0)) })
    else { return }
    let roots = direct.filter { !SwiftLibraries.isOfFoundation(fileName($0)) } + [essentials]
    add(
      .foundationEssentials, gone: graph.all.subtracting(graph.reached(from: roots)),
      leastError: Self.errorOfEssentials)
  }

  /// Relative. Five programs saved 17 to 31 % more CPU time than predicted: what remains is relocated and looked up faster,
  /// too, among fewer libraries.
  private static let errorOfEssentials = 1.0 / 3

  /// For each library, the whole graph is searched. No program links so many itself.
  private static let mostDropped = 200

  /// Libraries that the program links itself, but not the one that is the program. Foundation goes with all that belongs to it.
  private mutating func addDropped() {
    for path in Set(graph.direct).sorted().prefix(Self.mostDropped) {
      let name = fileName(path)
      guard !SwiftLibraries.isBase(name), path != worker || SwiftLibraries.contains(name) else { continue }
      let family =
        name.hasPrefix("libFoundation.")
        ? graph.direct.filter { SwiftLibraries.isOfFoundation(fileName($0)) } : [path]
      add(.dropLibrary, name, gone: graph.brought(by: Set(family)))
    }
  }
}
