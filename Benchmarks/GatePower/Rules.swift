// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis

/// A way to say that the head is slower.
struct Rule: Sendable {
  let name: String
  let saysSlower: @Sendable (Pairs) -> Bool

  /// Ours first. Tests err in one case of a hundred, on one side.
  static let all = [
    Rule(name: "ours: wall or CPU, signed rank") { pairs in
      // Both together err in one of a hundred.
      let error = pairs.error(tail: 0.005, isLastLook: true)
      return Shift(rounds: pairs.baseWall, pairs.headWall, tail: error.wall).lower.relative > 0
        || Shift(rounds: pairs.baseCPU, pairs.headCPU, tail: error.cpu).lower.relative > 0
    },
    Rule(name: "wall or CPU, half of the error each") { pairs in
      [(pairs.baseWall, pairs.headWall), (pairs.baseCPU, pairs.headCPU)].contains { base, head in
        Shift(rounds: base, head, tail: 0.005).lower.relative > 0
      }
    },
    Rule(name: "ours: wall alone") { Shift(rounds: $0.baseWall, $0.headWall, tail: 0.01).lower.relative > 0 },
    Rule(name: "hyperfine: mean ± σ apart") { pairs in
      let (base, head) = (Moments(pairs.baseWall), Moments(pairs.headWall))
      return head.mean - head.deviation > base.mean + base.deviation
    },
    Rule(name: "package-benchmark: p25, p50 or p75 +5 %") { pairs in
      let (base, head) = (pairs.baseWall.sorted(), pairs.headWall.sorted())
      return [0.25, 0.5, 0.75].contains { share in
        let place = Int(share * Double(base.count - 1))
        return head[place] > 1.05 * base[place]
      }
    },
    Rule(name: "Welch's t") { pairs in
      Moments.welchZ(Moments(pairs.headWall), Moments(pairs.baseWall)) > 2.3263
    },
    Rule(name: "Mann-Whitney") { pairs in
      // Of one session of each side.
      Shift(sessions: [pairs.baseWall], [pairs.headWall], tail: 0.01, spread: .assumed(0), seed: 1).lower.relative > 0
    },
  ]
}

struct Moments {
  let mean: Double
  let deviation: Double
  let count: Double

  init(_ values: [Double]) {
    count = Double(values.count)
    let mean = values.reduce(0, +) / count
    self.mean = mean
    deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
  }

  /// Welch's t as a quantile of the normal distribution, by Wallace's approximation (1959), which errs in the third digit.
  static func welchZ(_ first: Moments, _ second: Moments) -> Double {
    let (a, b) = (
      first.deviation * first.deviation / first.count, second.deviation * second.deviation / second.count
    )
    let t = (first.mean - second.mean) / (a + b).squareRoot()
    let freedom = (a + b) * (a + b) / (a * a / (first.count - 1) + b * b / (second.count - 1))
    let z = (8 * freedom + 1) / (8 * freedom + 3) * (freedom * log(1 + t * t / freedom)).squareRoot()
    return t < 0 ? -z : z
  }
}
