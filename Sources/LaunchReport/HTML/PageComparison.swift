// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The data of a comparison or a gate's result for the page: the JSON report, and the sentences for people.
struct PageComparison {
  private let result: GateResult
  private let options: ComparisonReportOptions

  init(_ result: GateResult, options: ComparisonReportOptions) {
    self.result = result
    self.options = options
  }

  var title: String { "Launches compared: \(ComparisonSentences(result).headline)" }

  func write(to json: inout JSONWriter) {
    let sentences = ComparisonSentences(result)
    json.value("kind", "comparison")
    json.value("title", title)
    json.value("headline", sentences.headline)
    json.optional("guilt", sentences.guilt)
    Self.write("method", sentences.method, to: &json)
    Self.write("leftOut", sentences.leftOut, to: &json)
    Self.write("notes", result.notes, to: &json)
    json.array("phases") { json in
      for part in result.comparison?.parts ?? [] where part.metric.group == .phase {
        json.object { json in
          Self.write("path", part.metric.path, to: &json)
          json.value("base", part.shift.base)
          json.value("head", part.shift.head)
          json.value("verdict", part.verdict.name)
        }
      }
    }
    json.object("result") { ComparisonJSON(result, options: options).write(to: &$0) }
  }

  private static func write(_ key: String, _ texts: [String], to json: inout JSONWriter) {
    json.array(key) { json in for text in texts { json.value(nil, text) } }
  }
}
