// SPDX-License-Identifier: Apache-2.0

internal import LaunchTrace

/// What a launch is made of, the largest part first: phases, and the interval, the sampled function or the unnamed time
/// in them that has most of their time.
struct LaunchParts {
  struct Part {
    /// From the phase inwards.
    var path: [String]
    /// Whether it is the time between two phases.
    var isGap: Bool
    /// In the launch, ns.
    var time: Int64
    /// The innermost of the path, in a few words, and its own part of that time, ns.
    var innermost: (name: String, time: Int64)

    var name: String { path.joined(separator: " > ") }
  }

  let parts: [Part]

  /// Smaller parts are left out.
  private static let leastShare = 0.05
  /// A child with at least this share of its parent's time is named, too.
  private static let mostShare = 0.6
  private static let deepest = 12

  /// - Parameter end: where to stop looking, ns.
  init(_ timeline: LaunchTimeline, until end: Int64) {
    let phases = timeline.phases.filter { $0.start < end && $0.id != PhaseName.exit }
    let flame = timeline.largeMergedFlame
    let root = timeline.mainThread.flatMap { track in
      let title = timeline.trace.title(ofTrack: track.rawValue, isMain: true)
      return flame.roots.first { flame.name(of: $0) == title }
    }
    let least = Int64(Double(end - timeline.start) * Self.leastShare)
    parts = phases.compactMap { phase in
      let time = min(phase.end, end) - phase.start
      guard time > 0, time >= least else { return nil }
      let inner = root.flatMap { root in
        // An interval that crosses the phase may have taken its beginning (D408).
        flame.children(of: root).first {
          flame.name(of: $0) == phase.id && (phase.start..<phase.end).contains(flame.start[$0])
        }
      }
      return Self.part(phase, time: time, in: timeline, flame, at: inner, until: end)
    }.sorted { ($1.time, $0.name) < ($0.time, $1.name) }
  }

  private static func part(
    _ phase: Phase, time: Int64, in timeline: LaunchTimeline, _ flame: FlameTree, at node: FlameTree.Node?,
    until end: Int64
  ) -> Part {
    let name = phase.isUnattributed ? timeline.name(ofGap: phase) : phase.id
    var part = Part(path: [name], isGap: phase.isUnattributed, time: time, innermost: (name, time))
    guard var node, flame.unit == "ns" else { return part }
    // What a node certainly took until then.
    func taken(_ node: FlameTree.Node) -> Int64 { flame.total[node] - max(0, flame.end[node] - end) }
    // The node of the phase may have less time (D408).
    var whole = time
    while part.path.count < deepest, let inner = flame.children(of: node).max(by: { taken($0) < taken($1) }),
      taken(inner) > 0,
      Double(taken(inner)) >= Double(whole) * mostShare
    {
      let (name, isInferred) = (flame.name(of: inner), flame.flags[inner].contains(.inferred))
      part.path.append(isInferred ? "~" + name : name)
      part.innermost = (isInferred ? "~" + ShortName.of(name) : name, min(taken(inner), time))
      (node, whole) = (inner, taken(inner))
    }
    return part
  }
}

extension LaunchTimeline {
  /// `outside all phases, between load and main`
  fileprivate func name(ofGap gap: Phase) -> String {
    let isAlone = phases.allSatisfy(\.isUnattributed)
    return "outside all phases" + (isAlone ? "" : ", \(place(of: gap))")
  }

  /// Between which phases a gap lies.
  func place(of gap: Phase) -> String {
    let before = phases.last { $0.end <= gap.start && !$0.isUnattributed }?.id
    let after = phases.first { $0.start >= gap.end && !$0.isUnattributed }?.id
    return switch (before, after) {
    case (let before?, let after?): "between \(before) and \(after)"
    case (let before?, nil): "after \(before)"
    case (nil, let after?): "before \(after)"
    case (nil, nil): "in the launch"
    }
  }
}
