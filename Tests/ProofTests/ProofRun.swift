// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The proof program, recorded into its own directory.
struct ProofRun {
  static let rowCount = 16
  static let wordsPerRow = 8

  /// What the program committed, according to itself.
  struct Committed {
    var thread: Int32
    var rounds: Int
  }

  let directory: TemporaryDirectory
  var trace: String { directory.appending("trace.pftrace") }
  var ledger: String { directory.appending("ledger") }

  init(keepsTraces: Bool = true) throws {
    directory = try TemporaryDirectory(keepsTraces: keepsTraces)
    try directory.write([UInt8](repeating: 0, count: Self.rowCount * Self.wordsPerRow * 8), to: "ledger")
  }

  /// Environment variables that turn recording on.
  func environment(limit: Int? = nil) -> [String: String] {
    var variables = ["LAUNCHPROF_TRACE": trace]
    if let limit { variables["LAUNCHPROF_LIMIT"] = String(limit) }
    return variables
  }

  func start(_ arguments: [String], limit: Int? = nil) throws -> RunningProcess {
    try RunningProcess.start(
      BuiltProgram.product("proof-program"), arguments, adding: environment(limit: limit))
  }

  func run(_ arguments: [String], limit: Int? = nil) throws -> TestProcess {
    try start(arguments, limit: limit).finish()
  }

  /// By row: one for each thread that has begun.
  func committed() throws -> [Committed] {
    let words = try Data(contentsOf: URL(fileURLWithPath: ledger)).withUnsafeBytes {
      Array($0.bindMemory(to: UInt64.self))
    }
    return stride(from: 0, to: words.count, by: Self.wordsPerRow).compactMap { row in
      words[row] == 0 ? nil : Committed(thread: Int32(words[row]), rounds: Int(words[row + 1]))
    }
  }
}
