// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The data of a comparison or a gate's result for the page: the JSON report, and the sentences for people.
struct PageComparison {
  let result: GateResult
  let options: ComparisonReportOptions

  var title: String { "Launches compared: \(ComparisonSentences(result).headline)" }

  func write(to json: inout JSONWriter) {
    let sentences = ComparisonSentences(result)
    json.value("kind", "comparison")
    json.value("title", title)
    json.value("headline", sentences.headline)
    json.optional("guilt", sentences.guilt)
    json.texts("method", sentences.method)
    json.texts("leftOut", sentences.leftOut)
    json.texts("notes", result.notes)
    let phases = (result.comparison?.parts ?? []).filter { $0.metric.group == .phase }
    json.objects("phases", phases) { json, part in
      json.texts("path", part.metric.path)
      json.value("base", part.shift.base)
      json.value("head", part.shift.head)
      json.value("verdict", part.verdict.name)
    }
    json.object("result") { ComparisonJSON(result, options: options).write(to: &$0) }
  }
}
