// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// One process of a tool that answers each line of JSON with another. Each start would take longer than most answers.
public final class AnsweringTool: Sendable {
  private let executable: String
  private let arguments: [String]
  private let variables: [String: String]
  /// It ends with this process, which closes its standard input.
  private let running = Mutex<RunningProcess?>(nil)

  /// - Parameter variables: added to the environment.
  public init(_ executable: String, _ arguments: [String], adding variables: [String: String] = [:]) {
    (self.executable, self.arguments, self.variables) = (executable, arguments, variables)
  }

  /// JSON. Questions of several threads are answered one after the other.
  ///
  /// - Throws: `ToolFailure` if the tool cannot be started, ends, or does not answer within five minutes.
  public func answer(_ question: some Encodable) throws -> Data {
    let line = try Array(JSONEncoder().encode(question)) + [UInt8(ascii: "\n")]
    return try running.withLock { running in
      let process = try running ?? RunningProcess.start(executable, arguments, adding: variables)
      running = process
      if let answer = process.ask(line, timeout: 300) { return Data(answer) }
      // The next question gets another process. One that ended by itself has a moment to be seen as that.
      running = nil
      let run = try process.finish(timeout: 1)
      throw ToolFailure("\(executable) \(arguments): \(run.outcome) \(run.errorText)")
    }
  }
}
