// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// One process of trace_processor for questions about a few small traces. Each start would take longer than most answers.
enum TraceProcessorServer {
  /// It ends with this process, which closes its standard input.
  private static let running = Mutex<RunningProcess?>(nil)

  /// JSON. Questions of several threads are answered one after the other.
  ///
  /// - Throws: `ToolFailure` if it cannot be started, ends, or does not answer within five minutes.
  static func answer(_ question: TraceProcessor.Question) throws -> [UInt8] {
    let line = try Array(JSONEncoder().encode(question)) + [UInt8(ascii: "\n")]
    return try running.withLock { running in
      let server = try running ?? start()
      running = server
      if let answer = server.ask(line, timeout: 300) { return answer }
      // The next question gets another process. One that ended by itself has a moment to be seen as that.
      running = nil
      let run = try server.finish(timeout: 1)
      throw ToolFailure("trace_processor: \(run.outcome) \(run.errorText)")
    }
  }

  /// The engine's code is not optimised: that takes a second of processor time, more than it saves with few bytes.
  private static func start() throws -> RunningProcess {
    try RunningProcess.start(
      Tools.node(), ["--liftoff-only", PackageRoot.appending("scripts/tools/trace-processor.mjs")],
      adding: ["TRACE_PROCESSOR_DIST": Tools.traceProcessor()])
  }
}
