// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// The trees of one launch, with all nodes or with the large ones. Each is made when it is first asked for, once; any thread
/// may ask.
final class FlameTrees: Sendable {
  private let launch: LaunchFrame
  private let spans: SpanTable
  private let most: Int

  private let madeSpanTree = MadeOnce<SpanTree>()
  private let madeFlame = MadeOnce<FlameTree>()
  private let madeSamples = MadeOnce<SampleTree?>()
  private let madeSampledSpans = MadeOnce<SampledSpans>()
  private let madeMerged = MadeOnce<MergedTree>()

  /// - Parameter most: trees with at most this many nodes are complete.
  init(_ launch: LaunchFrame, spans: SpanTable, most: Int) {
    (self.launch, self.spans, self.most) = (launch, spans, most)
  }

  private var trace: Trace { launch.trace }
  private var bounds: Range<Int64> { launch.bounds }

  // MARK: Size

  /// With more, a page of a crafted file takes more than the limit of memory: D334.
  private static let times = 8

  /// Parts of the launch that are smaller than this cannot be seen on a screen.
  private static let smallest: Int64 = 10_000

  /// Findings ask for what takes half of an interval over budget.
  private var spanGrain: TreeGrain {
    if most == .max { return .all }
    var kept = (bounds.upperBound - bounds.lowerBound) / Self.smallest
    for row in 0..<spans.count where spans.flags[row].contains(.overBudget) {
      kept = min(kept, spans.duration[row] / 2)
    }
    return TreeGrain(most: most, kept: kept, times: Self.times)
  }

  /// Findings ask for functions that take longer than an interval may.
  private var sampleGrain: TreeGrain {
    if most == .max { return .listed }
    var kept = trace.samples.weight.reduce(0, &+) / Self.smallest
    if trace.sampleUnit == "ns" {
      kept = min(kept, (bounds.upperBound - bounds.lowerBound) / Self.smallest, launch.budgets.leastInterval / 2)
    }
    return TreeGrain(most: most, kept: kept, times: Self.times)
  }

  // MARK: Trees

  /// Nothing was recorded but samples.
  var isSampledOnly: Bool {
    trace.samples.count > 0 && trace.slices.count == 0
      && (launch.mainThread == nil || launch.phases.allSatisfy { $0.id == PhaseName.trace })
  }

  private func makeSpanTree() -> SpanTree { FlameTreeBuilder(launch, spans: spans, grain: spanGrain).build() }

  /// The spans merged by path; of a trace of samples alone, those.
  var flame: FlameTree {
    madeFlame.value {
      if isSampledOnly, let samples { return samples.tree }
      // Only samples and waits are looked for in it again. That of a million spans is not to be kept for nothing.
      let isNeeded = trace.samples.count > 0 || madeSpanTree.isMade
      return (isNeeded ? madeSpanTree.value(makeSpanTree) : makeSpanTree()).linked()
    }
  }

  /// The nodes of `flame` and `merged` that threads were in at some instants; -1 for none.
  ///
  /// - Parameters:
  ///   - tracks: the thread of each instant.
  ///   - times: the instants in the order of time, ns.
  func nodes(on tracks: [Int32], at times: [Int64]) -> [Int32] {
    guard !isSampledOnly, !times.isEmpty else { return [Int32](repeating: -1, count: times.count) }
    let tree = madeSpanTree.value(makeSpanTree)
    let slices = spans.innermost(on: tracks, at: times, trackCount: trace.tracks.count)
    return times.indices.map { row in
      guard tracks[row] >= 0 else { return -1 }
      if slices[row] >= 0 { return tree.nodes[Int(slices[row])] }
      let phase = tracks[row] == launch.main ? tree.derivedNode(at: times[row]) : -1
      return phase >= 0 ? phase : tree.rootOfTrack[Int(tracks[row])]
    }
  }

  var samples: SampleTree? {
    madeSamples.value {
      guard trace.samples.count > 0 else { return nil }
      return SampleTreeBuilder(
        trace, window: bounds.lowerBound...bounds.upperBound, mainThread: launch.main,
        owner: CodeOwner(program: launch.executable), grain: sampleGrain
      ).build()
    }
  }

  /// The spans' tree with roots for all threads that have samples, and the place of each sample in it.
  struct SampledSpans: Sendable {
    var tree: SpanTree
    var contexts: SampleContexts
  }

  func sampledSpans(_ samples: SampleTree) -> SampledSpans {
    madeSampledSpans.value {
      var tree = madeSpanTree.value(makeSpanTree)
      let contexts = SampleContexts(trace, spans: spans, samples: samples, in: &tree, mainThread: launch.main)
      return SampledSpans(tree: tree, contexts: contexts)
    }
  }

  /// The spans with the functions that samples saw in them.
  var merged: MergedTree {
    madeMerged.value {
      // Samples in another unit than time cannot be shown beside times.
      guard !isSampledOnly, let samples, samples.tree.unit == "ns" else { return MergedTree(tree: flame) }
      return MergedTreeBuilder(launch, sampledSpans(samples), samples: samples).build()
    }
  }

  /// For tests: whether the tree of spans has been built.
  var isFlameMade: Bool { madeFlame.isMade }
}
