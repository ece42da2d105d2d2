// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring

/// Prints the rows as one table.
struct Table {
  let results: Results

  var text: String {
    var lines: [String] = []
    let machine = results.machine
    lines.append("\(machine.cpu), \(machine.cpus) CPUs, Linux \(machine.kernel), \(machine.toolchain)")
    lines.append("\(results.date), seed \(results.seed); medians ± median absolute deviation; [95 % interval]")
    if !machine.peers.isEmpty { lines.append("peers: \(machine.peers)") }
    var section = ""
    for row in results.rows {
      if row.section != section {
        section = row.section
        lines += ["", heading(row)]
      }
      lines.append(line(row))
    }
    if !results.notMeasured.isEmpty { lines += [""] + footnotes }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let nameWidth = 54

  private func heading(_ row: Row) -> String {
    let all = results.rows.filter { $0.section == row.section }.map(\.ratios).max { $0.count < $1.count } ?? []
    let captions = all.map { pad("/ \($0.to.replacingOccurrences(of: "(MONOTONIC)", with: ""))", 24) }
    return pad(row.section, Self.nameWidth) + right("median", 12) + right("±", 9) + "  " + captions.joined()
      + right("bytes", 9) + right("process", 10) + "  target"
  }

  private func line(_ row: Row) -> String {
    var ratios = row.ratios.map { pad("\(figure($0.median, 3)) [\(figure($0.low, 3)) \(figure($0.high, 3))]", 24) }
    let columns = results.rows.filter { $0.section == row.section }.map(\.ratios.count).max() ?? 0
    while ratios.count < columns { ratios.append(pad("", 24)) }
    let verdicts = row.targets.map { target in
      let of = target.of == "value" || target.of == "bytes" ? " \(target.of == "bytes" ? "bytes" : row.unit)" : ""
      return "≤ \(figure(target.atMost, 2))\(of) \(target.verdict.rawValue)"
    }
    return pad("  \(row.name)", Self.nameWidth) + right("\(figure(row.median, 2)) \(row.unit)", 12)
      + right(figure(row.spread, 2), 9) + "  " + ratios.joined()
      + right(row.bytes.map(Self.size) ?? "", 9) + right(row.processCPU.map { figure($0, 1) } ?? "", 10)
      + (verdicts.isEmpty ? "" : "  ") + verdicts.joined(separator: ", ")
  }

  private var footnotes: [String] {
    ["Not measured in this run (beside each, if known: what it took elsewhere, a pair over two rdtsc):"]
      + results.notMeasured.map {
        "  \($0.peer): \($0.reason)" + ($0.reference.isEmpty ? "" : "; \($0.reference)")
      }
  }

  private static func size(_ bytes: Double) -> String {
    bytes >= 1e5 ? String(format: "%.1f MB", bytes / 1e6) : String(format: "%.1f", bytes)
  }

  private func figure(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(abs(value) >= 1000 ? 0 : digits)f", value)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
