// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A child process that runs to its end.
///
/// Both pipes are drained while it runs, so that a child with much output never blocks.
public struct TestProcess: Sendable {
  /// How it ended.
  public enum Outcome: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// It was killed because it ran longer than `timeout`.
    case timedOut
  }

  public let outcome: Outcome
  public let output: [UInt8]
  public let errorOutput: [UInt8]

  public var text: String { String(decoding: output, as: UTF8.self) }
  public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
  public var succeeded: Bool { outcome == .exited(0) }

  /// Runs `executable` (a path; not searched for in PATH) and waits for its end.
  ///
  /// - Parameters:
  ///   - environment: the child's whole environment; nil passes this process's own.
  ///   - adding: variables that override `environment`.
  ///   - input: its standard input; empty is an immediate end of file.
  ///   - timeout: seconds after which it is killed. On a busy machine, a compiler has needed 120.
  public static func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    adding: [String: String] = [:], directory: String? = nil, input: [UInt8] = [], timeout: Double = 300
  ) throws -> TestProcess {
    let child = try RunningProcess.start(
      executable, arguments, environment: environment, adding: adding, directory: directory)
    return try child.finish(input: input, timeout: timeout)
  }

  /// This process's environment as a dictionary.
  public static var currentEnvironment: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
      entry += 1
    }
    return variables
  }
}
