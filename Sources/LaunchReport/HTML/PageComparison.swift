// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// A comparison or a gate's result as one HTML file: its data are the JSON report, and the sentences for people.
struct PageComparison {
  let result: GateResult
  let options: ComparisonReportOptions

  func write(to sink: any ByteSink) throws { try HTMLDocument.write(title, to: sink) { write(to: &$0) } }

  private var title: String {
    let program = (result.comparison?.head ?? result.launches).first?.provenance.program ?? ""
    let launches = program.isEmpty ? "Launches" : "Launches of \(PlainName.escaped(program))"
    return "\(launches) \(result.comparison == nil ? "checked" : "compared"): \(ComparisonSentences(result).headline)"
  }

  private func write(to json: inout JSONWriter) {
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
    json.object("result") { ComparisonJSON(result: result, options: options).write(to: &$0) }
  }
}

extension PageComparison {
  /// The gravest scenario, with the verdicts of all of them.
  init(_ suite: GateSuite, options: ComparisonReportOptions) {
    var shown = GateResult(comparison: nil, launches: [])
    if let gravest = suite.results.first(where: { $0.status == suite.status }) {
      shown = gravest
      let rows = suite.results.map { "\(suite.noun) \($0.scenario ?? ""): \(ComparisonSentences($0).headline)" }
      shown.notes = rows + ["this page shows the \(suite.noun) \(shown.scenario ?? "")"] + shown.notes
      shown.unchecked = suite.unchecked + shown.unchecked
    }
    self.init(result: shown, options: options)
  }
}
