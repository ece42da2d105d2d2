// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// Whose code the launch runs, by the samples of all threads.
extension LaunchTimeline {
  /// How many samples after its opening a library must have, and which part of all, to be called used.
  private static let used = (least: 3, share: 0.1)

  /// Whether samples show that the launch runs a library's code from a time on, ns.
  func runsCode(of path: String, from time: Int64) -> Bool {
    guard let image = trace.strings.id(of: path)?.rawValue else { return false }
    var isOfLibrary = [Bool](repeating: false, count: trace.stacks.count)
    // A caller's row comes before those of its callees.
    for row in 0..<trace.stacks.count {
      let caller = Int(trace.stacks.caller[row])
      isOfLibrary[row] = trace.stacks[row].image == image || caller >= 0 && isOfLibrary[caller]
    }
    let later = sampledStacks(from: time)
    let ours = later.count { $0 >= 0 && isOfLibrary[Int($0)] }
    return ours >= Self.used.least && Double(ours) >= Double(later.count) * Self.used.share
  }

  /// The file whose own functions had more than half of the samples from `main` on; nil if none had, or if there are few.
  var mostUsedImage: String? {
    let later = sampledStacks(from: mainStart)
    let images = later.filter { $0 >= 0 }.map { trace.stacks[Int($0)].image }
    let most = Dictionary(images.map { ($0, 1) }, uniquingKeysWith: +).max { $0.value < $1.value }
    guard let most, most.value >= Self.used.least, most.value * 2 > later.count else { return nil }
    return trace.strings[StringID(rawValue: most.key)]
  }

  /// When the main thread reached `main`, ns.
  var mainStart: Int64 { phases.last { PhaseName.beforeMain.contains($0.id) }?.end ?? start }

  /// The stacks of the launch's samples from a time on; -1 for those without one.
  private func sampledStacks(from time: Int64) -> [Int32] {
    Array(trace.samples.stack[trace.samples.time.places(from: time, to: end)])
  }
}
