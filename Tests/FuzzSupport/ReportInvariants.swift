// SPDX-License-Identifier: Apache-2.0

import Foundation
package import LaunchReport

/// Properties of every report. Returns the names of those that do not hold.
package enum ReportInvariants {
  package static func violations(_ format: ReportFormat, _ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    return switch format {
    case .text, .markdown: ofText(text)
    case .json: ofJSON(bytes)
    case .firefox, .speedscope: parsed(bytes) == nil ? ["no JSON"] : []
    case .csv: ofText(text, negatives: mayBeginEarlier(text) ? 1 : 0).filter { !$0.contains("%") }
    case .folded, .html, .chromeJSON: []
    }
  }

  package static func violations(_ format: ComparisonFormat, _ bytes: [UInt8]) -> [String] {
    switch format {
    case .text, .markdown, .csv: ofText(String(decoding: bytes, as: UTF8.self), hasDifferences: true)
    case .json, .bencher, .githubBenchmark: parsed(bytes) == nil ? ["no JSON"] : []
    case .junit, .html, .github: []
    }
  }

  /// Whether a row may begin before the launch: the tables of spans and of counters have all of the trace (docs/csv.md).
  private static func mayBeginEarlier(_ table: String) -> Bool {
    ["launch,thread,track,", "launch,counter,"].contains { table.hasPrefix($0) }
  }

  /// - Parameters:
  ///   - hasDifferences: they may be negative, and more than 100 %.
  ///   - most: how many negative numbers a line may have.
  private static func ofText(_ text: String, hasDifferences: Bool = false, negatives most: Int = 0) -> [String] {
    var found: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      var negatives = 0
      for word in line.split(whereSeparator: { " ,;()│|".contains($0) }) {
        let isNegative = word.first == "-" && word.dropFirst().first?.isNumber == true
        let isZero = isNegative && word.dropFirst().allSatisfy { "0.%".contains($0) }
        // The time of a milestone that a launch never reached.
        let isEndless = hasDifferences && word == "inf" && line.contains("never reached it")
        if !isEndless, ["nan", "inf", "-nan", "-inf", "nan%", "inf%"].contains(word.lowercased()) {
          found.append("a number: \(line)")
        }
        if isNegative { negatives += 1 }
        if isZero || isNegative && negatives > most && !hasDifferences { found.append("a negative number: \(line)") }
        guard word.last == "%", !hasDifferences, let percent = Double(word.dropLast()) else { continue }
        if !(0...100).contains(percent) { found.append("\(word): \(line)") }
      }
    }
    return found
  }

  private static func parsed(_ bytes: [UInt8]) -> Any? { try? JSONSerialization.jsonObject(with: Data(bytes)) }

  private static func ofJSON(_ bytes: [UInt8]) -> [String] {
    guard let report = parsed(bytes) else { return ["no JSON"] }
    var found: [String] = []
    visit(report, at: "") { path, number in
      if number < 0, path != Self.earlier { found.append("\(path) is \(number)") }
    }
    return found
  }

  /// A counter has its value from before the launch on.
  private static let earlier = ".launches.counters.values.time"

  private static func visit(_ value: Any, at path: String, _ body: (String, Double) -> Void) {
    switch value {
    case let object as [String: Any]: for (key, value) in object { visit(value, at: path + "." + key, body) }
    case let array as [Any]: for value in array { visit(value, at: path, body) }
    case let number as NSNumber: body(path, number.doubleValue)
    default: break
    }
  }
}
