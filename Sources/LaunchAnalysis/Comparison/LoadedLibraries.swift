internal import CLaunchSchema
internal import LaunchTrace

/// What the main thread mapped and opened during a launch, as it was seen from outside: the same every time, other than
/// what files say, also of libraries that only a dlopen brings.
package struct LoadedLibraries: Sendable, Equatable, Codable {
  /// Names of the files that were mapped to be executed, the program's own left out, in order.
  package var mapped: [String]
  /// Bytes that they and the program take in the address space.
  package var bytes: Int64
  /// Names of what came by dlopen, in order.
  package var opened: [String]

  package init(mapped: [String], bytes: Int64, opened: [String]) {
    (self.mapped, self.bytes, self.opened) = (mapped, bytes, opened)
  }

  /// nil if the launch was not observed, or if records were lost.
  init?(_ timeline: LaunchTimeline) {
    let trace = timeline.trace
    guard let category = trace.strings.id(of: CategoryName.library)?.rawValue,
      let name = trace.strings.id(of: LS_EVENT_MAP)?.rawValue, timeline.observation.map({ $0.lostRecords == 0 }) ?? true
    else { return nil }
    var (mapped, bytes, known): ([String], Int64, Set<String>) = ([], 0, [])
    let instants = trace.instants
    // Programs that the process executed before are another matter.
    let start = LoadFacts(trace, processID: timeline.processID, latest: timeline.end).programs.last?.time ?? .min
    for row in 0..<instants.count
    where instants.category[row] == category && instants.name[row] == name
      && (start...timeline.end).contains(instants.time[row])
      && isMainThread(instants.track[row])
    {
      let annotations = AnnotationRow(trace, row: instants.annotation[row])
      guard let path = annotations.string(LS_KEY_PATH), known.insert(path).inserted else { continue }
      bytes += annotations.integer(LS_KEY_SIZE) ?? 0
      mapped.append(Findings.fileName(path))
    }
    guard !mapped.isEmpty else { return nil }
    // The kernel maps the program before all else.
    mapped.removeFirst()
    let opened = timeline.libraries.openings.filter(\.isOnMainThread).flatMap(\.paths).map(Findings.fileName)
    self.init(mapped: mapped, bytes: bytes, opened: opened)
    func isMainThread(_ place: Int32) -> Bool {
      let track = trace.tracks[Int(place)]
      return track.isMainThread && track.processID == timeline.processID
    }
  }
}
