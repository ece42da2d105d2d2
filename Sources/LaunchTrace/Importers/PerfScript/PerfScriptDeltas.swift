// SPDX-License-Identifier: Apache-2.0

/// The times of a file of `perf script --deltatime`: each is the time since the line before.
///
/// Nothing in the file says so. But it begins at 0, and its times go up and down, while perf sorts all others.
struct PerfScriptDeltas {
  private var first: Int64?
  private var last: Int64 = 0
  private var lines = 0
  private var stepsBack = 0
  private var sum: Int64 = 0
  /// For each sample the sum of all times up to it, in ns; empty if the file does not begin at 0.
  private(set) var sums: [Int64] = []

  /// Adds a line, in the order of the file. The line before may be something else than a sample.
  mutating func add(_ time: Int64, isSample: Bool) {
    if first == nil { first = time }
    guard first == 0 else { return }
    lines += 1
    if time < last { stepsBack += 1 }
    last = time
    sum = sum.addingSaturated(time)
    if isSample { sums.append(sum) }
  }

  /// Of irregular times between lines, half are shorter than the one before. A few steps back are a file that perf could
  /// not sort.
  var areFound: Bool { first == 0 && stepsBack * 8 >= max(8, lines) }
}
