internal import LaunchAnalysis

/// The text report as Markdown: a line that can be read in a list of comments, the whole folded away beneath.
struct MarkdownRenderer: ReportRenderer {
  func render(_ launches: LaunchSet, options: ReportOptions, to sink: any ByteSink) throws {
    var options = options
    options.color = false
    let memory = MemorySink()
    try TextRenderer().render(launches, options: options, to: memory)
    let text = String(decoding: memory.bytes, as: UTF8.self)
    var output = OutputBuffer(sink)
    // A fence that nothing in the report can close.
    let fence = String(repeating: "`", count: max(3, Self.longestRun(of: "`", in: text) + 1))
    output.append("\(fence)text\n\(text)\(fence)\n")
    try output.finish()
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
