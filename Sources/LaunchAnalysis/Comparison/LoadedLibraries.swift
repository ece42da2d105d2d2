// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

/// What the main thread mapped and opened during a launch, as observed from outside. It is the same in every launch.
/// Unlike what the files say, it includes libraries that only a dlopen loads.
package struct LoadedLibraries: Sendable, Equatable {
  /// Names of the files that were mapped as executable, in order, without the program itself.
  package var mapped: [String]
  /// Bytes of address space that they and the program take.
  package var bytes: Int64
  /// Names of the libraries that dlopen loaded, in order.
  package var opened: [String]

  package init(mapped: [String], bytes: Int64, opened: [String]) {
    (self.mapped, self.bytes, self.opened) = (mapped, bytes, opened)
  }

  /// nil if the launch was not observed, or if records were lost.
  init?(_ timeline: LaunchTimeline) {
    let trace = timeline.trace
    guard let name = trace.strings.id(of: LS_EVENT_MAP)?.rawValue, timeline.observation?.lostRecords ?? 0 == 0 else {
      return nil
    }
    var (mapped, bytes, known): ([String], Int64, Set<String>) = ([], 0, [])
    let instants = trace.instants
    let isMain = trace.tracks.map { $0.isMainThread && $0.processID == timeline.processID }
    // Leaves out programs that the process executed before.
    let start = LoadFacts(trace, processID: timeline.processID, latest: timeline.end).programs.last?.time ?? .min
    for row in trace.instants(of: CategoryName.library)
    where instants.name[row] == name && (start...timeline.end).contains(instants.time[row])
      && isMain[Int(instants.track[row])]
    {
      let annotations = trace.annotations(ofInstant: row)
      guard let path = annotations.string(LS_KEY_PATH), !annotations.isAgent, known.insert(path).inserted else {
        continue
      }
      bytes = min(bytes + max(0, annotations.number(LS_KEY_SIZE)), TraceLimits.number)
      mapped.append(fileName(path))
    }
    guard !mapped.isEmpty else { return nil }
    // The kernel maps the program first.
    mapped.removeFirst()
    let opened = timeline.libraries.openings.filter(\.isOnMainThread).flatMap(\.paths).map(fileName)
    self.init(mapped: mapped, bytes: bytes, opened: opened)
  }
}
