// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation

/// A program that runs to its end and must succeed.
struct Program {
  let path: String
  var arguments: [String] = []
  var environment: [String: String] = [:]
  /// Put the process ID and the time of execve into LAUNCHPROF_START.
  var isStamped = false

  /// Runs the program with its standard output in the file `output` (nil: discarded). It inherits PATH and HOME.
  @discardableResult
  func run(output: String? = nil) throws(BenchError) -> cm_run {
    var variables = ProcessInfo.processInfo.environment.filter { Self.handedOn.contains($0.key) }
    variables.merge(environment) { $1 }
    let errors = "\(NSTemporaryDirectory())/launch-bench-\(getpid()).err"
    let stamp = "LAUNCHPROF_START="
    let entries = isStamped ? [stamp + String(repeating: " ", count: Int(CM_STAMP_SIZE))] : []
    let run = Self.withStrings([path] + arguments) { arguments in
      Self.withStrings(entries + variables.map { "\($0.key)=\($0.value)" }) {
        cm_run_program(path, arguments, $0, output, errors, isStamped ? $0[0]?.advanced(by: stamp.utf8.count) : nil)
      }
    }
    defer { unlink(errors) }
    if run.error != 0 { throw BenchError("cannot start \(path): \(String(cString: strerror(run.error)))") }
    if run.status != 0 {
      let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw BenchError("\(path) \(arguments.joined(separator: " ")) ended with wait status \(run.status): \(said)")
    }
    return run
  }

  private static let handedOn: Set = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "TRACE_PROCESSOR_DIST"]

  private static func withStrings<T>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T) -> T {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// The first program of that name on PATH.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
