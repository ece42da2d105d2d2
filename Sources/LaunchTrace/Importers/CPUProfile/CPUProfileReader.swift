// SPDX-License-Identifier: Apache-2.0

/// Reads CPU profiles of V8 (`.cpuprofile`), as `node --cpu-prof` and Chrome's developer tools write them.
enum CPUProfileReader: TraceImporter {
  static func recognizes(_ head: FileHead) -> Bool {
    head.first == UInt8(ascii: "{") && head.contains("\"callFrame\"") && head.contains("\"nodes\"")
      && !head.contains("\"traceEvents\"")
  }

  static func read(_ input: TraceInput, again: () throws(TraceError) -> TraceInput) throws(TraceError) -> Trace {
    let document = try JSONView.document(input)
    guard document["nodes"] != nil, document["samples"] != nil else {
      throw TraceError(
        .unknownFormat, path: input.path, message: "is not a complete CPU profile of V8: it has no nodes, or no samples"
      )
    }
    var builder = TraceBuilder(format: .cpuProfile)
    builder.limit(toWhole: input)
    var stacks = StackNodes()
    var profile = V8Profile(tree: 0, thread: builder.thread(1, ofProcess: 1))
    profile.read(whole: document, &stacks, &builder)
    builder.trace.statistics.packets = builder.trace.samples.count
    stacks.makeRows(&builder)
    profile.finish(stacks, &builder)
    builder.trace.samples.removeLeftOut()
    return builder.finish()
  }
}
