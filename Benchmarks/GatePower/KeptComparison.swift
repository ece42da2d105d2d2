// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis
import LaunchTrace

/// The rounds of a live comparison of equal programs, from the traces that `launchprof bench --vs` has kept.
struct KeptComparison {
  /// Lines of a file in Data/gate, without the heading: µs, the base first.
  let lines: [String]

  static let heading = "A wall,A cpu,A core,A again wall,A again cpu,A again core"

  /// - Parameter directory: its path, ending in `.bench`.
  init(_ directory: String) throws {
    let (base, head) = (try Self.launches("\(directory)/base"), try Self.launches("\(directory)/head"))
    lines = base.keys.sorted().compactMap { round in
      guard let base = base[round], let head = head[round] else { return nil }
      return (base + head).map { String(Int(($0 / 1000).rounded())) }.joined(separator: ",")
    }
  }

  /// Wall, CPU and on-core time by round. Launches without all three are left out.
  private static func launches(_ directory: String) throws -> [Int: [Double]] {
    var found: [Int: [Double]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) where name.hasSuffix(".pftrace") {
      let path = "\(directory)/\(name)"
      let timeline = LaunchTimeline(trace: try TraceReader().read(path: path))
      let launch = Measurement(LaunchSet([timeline], names: [path]).launches[0])
      let times = [Metric.total, .cpu, .onCore].compactMap { launch.values[$0] }
      if launch.leftOut == nil, times.count == 3 { found[launch.provenance.round] = times }
    }
    return found
  }
}
