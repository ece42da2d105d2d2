// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem
internal import LaunchTrace

/// Samples of functions that the loader calls while it relocates a file: they choose an implementation of another function
/// (IFUNC).
struct ResolverSamples {
  /// A function that the loader called, with the part of the samples that are in it or below it.
  struct Resolver {
    var name: String
    /// Path of its file.
    var image: String
    var share: Double
  }

  private let trace: Trace
  /// By row of `Trace.stacks`: the row of the function that the loader called; -1 where the loader itself runs.
  private var called: [Int32] = []

  /// Fewer samples say nothing about the whole time.
  private static let least = 3

  init(_ trace: Trace) {
    self.trace = trace
    let stacks = trace.stacks
    var loaders: [UInt32: Bool] = [:]
    func isLoader(_ row: Int32) -> Bool {
      let image = stacks[Int(row)].image
      return loaders.value(of: image) { fileName(trace.strings[StringID(rawValue: image)]).hasPrefix("ld-") }
    }
    called.reserveCapacity(stacks.count)
    // A caller's row comes before those of its callees.
    for row in 0..<Int32(truncatingIfNeeded: stacks.count) {
      let caller = stacks.caller[Int(row)]
      if caller < 0 || isLoader(row) {
        called.append(-1)
      } else {
        called.append(isLoader(caller) ? row : called[Int(caller)])
      }
    }
  }

  /// The function in which most samples of a thread are; nil if there is none.
  ///
  /// - Parameter ranges: in the order of time, apart from each other.
  func most(of track: Int32, in ranges: [Range<Int64>]) -> Resolver? {
    let samples = trace.samples
    var counts: [Int32: Int] = [:]
    var all = 0
    for range in ranges {
      for row in samples.time.places(from: range.lowerBound, to: range.upperBound)
      where samples.track[row] == track && samples.stack[row] >= 0 {
        all += 1
        counts[called[Int(samples.stack[row])], default: 0] += 1
      }
    }
    guard all >= Self.least, let (row, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      row >= 0, count * 2 > all
    else { return nil }
    let image = trace.strings[StringID(rawValue: trace.stacks[Int(row)].image)]
    guard !image.isEmpty else { return nil }
    return Resolver(name: trace.name(ofFrame: Int(row)), image: image, share: Double(count) / Double(all))
  }
}
