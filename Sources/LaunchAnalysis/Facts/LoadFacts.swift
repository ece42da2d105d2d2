// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// What was observed from outside up to `main`: the events `launchprof.point` and `launchprof.library` of
/// docs/trace-format.md.
struct LoadFacts {
  struct Point {
    /// Of the event.
    var name = ""
    var time: Int64
    var source: Source
    /// The program that was executed, or the library that was mapped.
    var path = ""
    /// The name under which the program was executed; nil if it is that of its file.
    var executedName: String?
    /// How long the loader took to open and map the library, ns. It is there only for the first one: before, the loader
    /// prepared itself. Each other one begins with the library before it.
    var duration: Int64?
    /// What the process had read from disks when the program was executed, bytes; nil if that is not known.
    var readBytes: Int64?

    var title: String { executedName ?? fileName(path) }
  }

  /// The programs that the process executed, up to the launched one.
  private(set) var programs: [Point] = []
  /// What the launched program executed in its place.
  private(set) var successor: Point?
  private(set) var loaderStarted: Point?
  private(set) var relocated: Point?
  private(set) var entry: Point?
  private(set) var main: Point?
  /// Libraries that the loader mapped before the program's own code ran, in order.
  private(set) var libraries: [Point] = []

  /// Nothing is known.
  init() {}

  /// True if breakpoints were armed, so that a missing `main` means it was not reached.
  var isWatched: Bool { [loaderStarted, relocated, entry].contains { $0.map { $0.source != .kernel } ?? false } }

  /// - Parameters:
  ///   - processID: of the launched program.
  ///   - latest: the latest time at which the launched program was executed. What is known of programs that the process executed
  ///     later is ignored.
  init(_ trace: Trace, processID: Int32, latest: Int64) {
    let points = Self.instants(trace, CategoryName.point, processID: processID)
    programs = points.filter { $0.name == LS_POINT_EXEC && $0.time <= latest }
    guard let start = programs.last?.time else { return }
    successor = points.first { $0.name == LS_POINT_EXEC && $0.time > start }
    let next = successor?.time ?? .max
    func first(_ name: String) -> Point? {
      let found = points.filter { $0.name == name && (start..<next).contains($0.time) }
      // The loader loads the agent first, and notifies a debugger of that, too.
      return found.first { $0.source == .audit } ?? found.first
    }
    loaderStarted = first(LS_POINT_LOADER_STARTED)
    relocated = first(LS_POINT_RELOCATED)
    entry = first(LS_POINT_ENTRY)
    main = first(LS_POINT_MAIN)
    if let loaderStarted, let end = relocated ?? entry ?? main {
      libraries = Self.instants(trace, CategoryName.library, processID: processID).filter {
        $0.name == LS_EVENT_MAP && (loaderStarted.time...max(end.time, loaderStarted.time)).contains($0.time)
      }
    }
  }

  /// Events of the first thread, as points.
  private static func instants(_ trace: Trace, _ category: String, processID: Int32) -> [Point] {
    let instants = trace.instants
    return trace.instants(of: category).compactMap { row in
      let track = trace.tracks[Int(instants.track[row])]
      guard track.isMainThread, track.processID == processID else { return nil }
      let annotations = trace.annotations(ofInstant: row)
      let source = annotations.string(LS_KEY_SOURCE).flatMap(Source.init) ?? .kernel
      return Point(
        name: trace.strings[StringID(rawValue: instants.name[row])], time: instants.time[row], source: source,
        path: annotations.isAgent ? PhaseName.agent : annotations.string(LS_KEY_PATH) ?? "",
        executedName: category == CategoryName.point ? annotations.string(LS_KEY_NAME) : nil,
        duration: annotations.integer(LS_KEY_DURATION_NS).map { max(0, $0) },
        readBytes: annotations.integer(LS_KEY_READ_BYTES))
    }
  }
}
