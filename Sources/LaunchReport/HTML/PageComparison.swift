// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The data of a comparison or a gate's result for the page: the JSON report, and the sentences for people.
struct PageComparison {
  let result: GateResult
  let options: ComparisonReportOptions

  var title: String {
    let program = (result.comparison?.head ?? result.launches).first?.provenance.program ?? ""
    let launches = program.isEmpty ? "Launches" : "Launches of \(PlainName.escaped(program))"
    return "\(launches) \(result.comparison == nil ? "checked" : "compared"): \(ComparisonSentences(result).headline)"
  }

  func write(to json: inout JSONWriter) {
    let sentences = ComparisonSentences(result)
    json.values([
      "kind": "comparison", "title": title, "headline": sentences.headline, "guilt": sentences.guilt,
    ])
    json.texts("method", sentences.method)
    json.texts("leftOut", sentences.leftOut)
    let phases = (result.comparison?.parts ?? []).filter { $0.metric.group == .phase }
    json.objects("phases", phases) { json, part in
      json.texts("path", part.metric.path)
      json.values([
        "base": part.shift.base, "head": part.shift.possibleHead(part.metric.unit), "presence": part.presence.rawValue,
        "verdict": part.verdict.name,
      ])
    }
    json.object("result") { ComparisonJSON(result, options: options).write(to: &$0) }
  }
}
