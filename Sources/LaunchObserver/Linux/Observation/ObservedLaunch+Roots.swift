// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

extension ObservedLaunch {
  /// Changes the paths of mapped files from those in the roots of the programs to those in the launcher's root.
  ///
  /// - Returns: the paths of code that the launcher does not find.
  func translatePaths(in events: inout PerfEvents) -> Set<String> {
    guard images.contains(where: { $0.root != nil }) else { return [] }
    let executions = events.names.filter { $0.isExec && $0.place.processID == processID }.map(\.place.time)
    // The launcher notices a program when its first files are mapped.
    let starts = images.map { image in executions.last { $0 <= image.time } ?? image.time }
    var lost: Set<String> = []
    for (index, image) in images.enumerated() {
      guard let root = image.root else { continue }
      // Children have the root of their parent.
      let times = starts[index]..<max(starts[index], index + 1 < starts.count ? starts[index + 1] : .max)
      lost.formUnion(Self.translate(&events.mappings, times, root, arePerfs: means == .perf))
      _ = Self.translate(&events.dataMappings, times, root, arePerfs: means == .perf)
    }
    return lost
  }

  private static func translate(
    _ mappings: inout [PerfEvents.Mapping], _ times: Range<Int64>, _ root: ProgramRoot, arePerfs: Bool
  ) -> Set<String> {
    let first = mappings.partitioningIndex { $0.place.time >= times.lowerBound }
    let last = mappings.partitioningIndex { $0.place.time >= times.upperBound }
    return root.translate(&mappings[first..<last], arePerfs: arePerfs)
  }
}
