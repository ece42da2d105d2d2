internal import LaunchAnalysis

/// Workflow commands of GitHub Actions: what failed as errors, what nobody knows as warnings, the rest as a notice.
struct ComparisonAnnotations {
  private let result: GateResult
  private let sentences: ComparisonSentences

  init(_ result: GateResult) {
    self.result = result
    sentences = ComparisonSentences(result)
  }

  func write(to sink: any ByteSink) throws {
    var output = OutputBuffer(sink)
    let level =
      switch result.status {
      case .passed, .improved: "notice"
      case .inconclusive: "warning"
      case .launchFailed, .baselineMissing, .incomparable, .overBudget, .regressed: "error"
      }
    let lines = sentences.reasons + [sentences.guilt].compactMap(\.self) + [sentences.method.joined(separator: ", ")]
    output.append(
      "::\(level) title=\(Self.property("Launch: \(sentences.headline)"))::\(Self.data(lines.joined(separator: "\n")))\n"
    )
    try output.finish()
  }

  /// As GitHub's toolkit escapes a command's message.
  private static func data(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n", "\r\n": result += "%0A"
      default: result.append(character)
      }
    }
  }

  /// And a property, which ends with `,` or `::`.
  private static func property(_ text: String) -> String {
    data(text).reduce(into: "") { result, character in
      switch character {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.append(character)
      }
    }
  }
}
