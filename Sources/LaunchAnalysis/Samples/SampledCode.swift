// SPDX-License-Identifier: Apache-2.0

/// What is known about the code in a tree of samples, in columns with one row for each node.
package struct SampledCode: Sendable {
  /// The tree that the columns belong to.
  package let tree: FlameTree
  /// By row of `Trace.samples`: the innermost node of its stack; -1 if the sample is not in the tree.
  package let nodes: [Int32]
  /// File name of the image; nil for a track, and for functions of several images with one name.
  package let libraries: [String?]
  /// The Swift module, or the library if there is none; nil as for libraries.
  package let modules: [String?]
  /// By node: a row of `Trace.stacks`, -1 for a track.
  package let frames: [Int32]
}

extension LaunchTimeline {
  /// The code of `largeSampleFlame`; nil for a trace without samples. Names are looked up at each call.
  package var sampledCode: SampledCode? {
    guard let samples = context.large.samples else { return nil }
    func names(_ aspect: Breakdown.Aspect) -> [String?] { CodeNames.names(of: samples, by: aspect, in: trace) }
    return SampledCode(
      tree: samples.tree, nodes: samples.nodes, libraries: names(.library), modules: names(.module),
      frames: samples.frames)
  }

  /// Whose work nodes of `largeFlame` are: the library of an initialiser, else the program; nil for tracks and phases.
  package func spanLibraries(of nodes: [FlameTree.Node]) -> [String?] {
    CodeNames.libraries(of: nodes, in: largeFlame, self)
  }

  /// Whose work nodes of `largeMergedFlame` are, with the libraries and modules of functions, which are not told by their names.
  ///
  /// - Parameter code: that of `sampledCode`.
  package func mergedCode(
    of nodes: [FlameTree.Node], _ code: SampledCode
  ) -> (libraries: [String?], modules: [String?]) {
    let merged = context.large.merged
    let spans = CodeNames.libraries(of: nodes, in: merged.tree, self)
    func names(_ names: [String?]) -> [String?] {
      zip(nodes, spans).map { node, span in
        merged.origins[Int32(truncatingIfNeeded: node)].map { names[Int($0)] } ?? span
      }
    }
    return (names(code.libraries), names(code.modules))
  }
}
