// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaunchAnalysis

/// Recorded rounds: Data/gate.
struct Rounds {
  /// ns by variant, in the order of the rounds.
  let wall: [String: [Double]]
  let cpu: [String: [Double]]
  /// Empty if it was not recorded.
  let core: [String: [Double]]
  let count: Int

  init(file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let rows = lines.dropFirst().map { $0.map { (Double($0) ?? 0) * 1000 } }
    var columns: [String: [Double]] = [:]
    for (place, name) in (lines.first ?? []).enumerated() { columns[name] = rows.map { $0[place] } }
    func side(_ metric: String) -> [String: [Double]] {
      var result: [String: [Double]] = [:]
      for (name, values) in columns where name.hasSuffix(" " + metric) {
        result[String(name.dropLast(metric.count + 1))] = values
      }
      return result
    }
    (wall, cpu, core, count) = (side("wall"), side("cpu"), side("core"), rows.count)
  }

  /// Neighbouring rounds of two variants, from a place on; at the end it goes on at the beginning.
  func pairs(_ base: String, _ head: String, from start: Int, count: Int) -> Pairs {
    func cut(_ values: [Double]?) -> [Double] {
      guard let values else { return [] }
      return (0..<count).map { values[(start + $0) % values.count] }
    }
    return Pairs(
      baseWall: cut(wall[base]), headWall: cut(wall[head]), baseCPU: cut(cpu[base]), headCPU: cut(cpu[head]),
      baseCore: cut(core[base]), headCore: cut(core[head]))
  }
}

/// Some rounds of a base and a head, ns.
struct Pairs {
  var baseWall: [Double]
  var headWall: [Double]
  var baseCPU: [Double]
  var headCPU: [Double]
  /// Empty if it was not recorded.
  var baseCore: [Double]
  var headCore: [Double]

  func prefix(_ count: Int) -> Pairs {
    Pairs(
      baseWall: Array(baseWall.prefix(count)), headWall: Array(headWall.prefix(count)),
      baseCPU: Array(baseCPU.prefix(count)), headCPU: Array(headCPU.prefix(count)),
      baseCore: Array(baseCore.prefix(count)), headCore: Array(headCore.prefix(count)))
  }

  func error(tail: Double, isLastLook: Bool) -> SharedError {
    SharedError(tail: tail, wall: (baseWall, headWall), cpu: (baseCPU, headCPU), isLastLook: isLastLook)
  }
}
