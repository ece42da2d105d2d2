// SPDX-License-Identifier: Apache-2.0

public import LaunchTrace

/// Properties of every trace, from whatever file. Returns the names of those that do not hold.
public enum TraceInvariants {
  public static func violations(_ trace: Trace) -> [String] {
    var found: [String] = []
    func check(_ condition: Bool, _ name: String) { if !condition, !found.contains(name) { found.append(name) } }
    checkLimits(trace, check)
    let slices = trace.slices
    let tracks = Int32(trace.tracks.count)
    let columns = [
      slices.duration.count, slices.track.count, slices.name.count, slices.category.count, slices.parent.count,
      slices.depth.count, slices.annotation.count,
    ]
    check(columns.allSatisfy { $0 == slices.count }, "columns of slices")
    for slice in 0..<slices.count {
      let parent = Int(slices.parent[slice])
      check(parent < slice, "a parent before its child")
      check(slices.duration[slice] >= SliceTable.unfinished, "durations")
      check((0..<tracks).contains(slices.track[slice]), "tracks of slices")
      check(Int(slices.name[slice]) < trace.strings.count, "names")
      check(Int(slices.category[slice]) < trace.strings.count, "categories")
      check(slice == 0 || slices.start[slice - 1] <= slices.start[slice], "order of slices")
      if parent >= 0 {
        check(slices.track[parent] == slices.track[slice], "a parent on the same track")
        check(slices.start[parent] <= slices.start[slice], "a parent that begins first")
        check(slices.depth[slice] == slices.depth[parent] + 1, "depths")
      } else {
        check(slices.depth[slice] == 0, "depth of the outermost")
      }
      check(trace.annotations[slices.annotation[slice]].count < 1_000_000, "annotations")
    }
    check(trace.instants.track.allSatisfy { (0..<tracks).contains($0) }, "tracks of instants")
    check(trace.counters.track.allSatisfy { (0..<tracks).contains($0) }, "tracks of counters")
    check(trace.samples.track.allSatisfy { (-1..<tracks).contains($0) }, "tracks of samples")
    check(trace.switches.track.allSatisfy { (0..<tracks).contains($0) }, "tracks of switches")
    check(trace.wakeups.track.allSatisfy { (0..<tracks).contains($0) }, "tracks of wake-ups")
    check(trace.wakeups.waker.allSatisfy { (-1..<tracks).contains($0) }, "wakers")
    check(isSorted(trace.switches.time) && isSorted(trace.wakeups.time), "order of switches and wake-ups")
    check(trace.samples.stack.allSatisfy { Int($0) < trace.stacks.count }, "stacks of samples")
    check(isSorted(trace.instants.time) && isSorted(trace.counters.time), "order of points")
    check(isSorted(trace.samples.time), "order of samples")
    check(trace.stacks.caller.enumerated().allSatisfy { Int($0.element) < $0.offset }, "callers")
    check(trace.tracks.allSatisfy { $0.parent.map { $0.rawValue < tracks } ?? true }, "parents of tracks")
    check(trace.diagnostics.count <= 101, "diagnostics")
    return found
  }

  /// Checks that no sum over a launch overflows.
  private static func checkLimits(_ trace: Trace, _ check: (Bool, String) -> Void) {
    let times =
      trace.slices.start + trace.instants.time + trace.counters.time + trace.samples.time + trace.switches.time
      + trace.wakeups.time
    let ends = zip(trace.slices.start, trace.slices.duration).map { $0 + max(0, $1) }
    check((times + ends).allSatisfy { abs($0) <= 1 << 61 }, "times")
    let span = ((times + ends).max() ?? 0) - (times.min() ?? 0)
    check(span <= 1 << 52, "the span")
    let durations = trace.slices.duration.map { $0 < 0 ? Double(span) : Double($0) }
    check(durations.reduce(0, +) <= 0x1p60 * 1.001, "the sum of durations")
    check(trace.samples.weight.allSatisfy { $0 >= 0 } && trace.samples.weight.reduce(0, +) <= 1 << 52, "weights")
  }

  private static func isSorted(_ times: [Int64]) -> Bool { zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } }
}
