// SPDX-License-Identifier: Apache-2.0

/// A program that was run for what it writes.
package struct ToolRun {
  /// The exit status; 128 plus the signal's number if a signal ended it.
  package var status: Int32
  package var output: [UInt8]
  /// Whether the output came to its end: false if it was too long, or took too long.
  package var isComplete: Bool

  package enum Failure: Error {
    /// No pipe can be made.
    case pipe(errno: Int32)
    /// The program cannot be run.
    case start(errno: Int32)
    /// It wrote more than `largest` bytes.
    case tooLong
  }

  init(status: Int32, output: [UInt8], isComplete: Bool) {
    (self.status, self.output, self.isComplete) = (status, output, isComplete)
  }

  /// - Parameters:
  ///   - command: a name to look up in PATH, and arguments.
  ///   - inputs: nil for no input.
  ///   - errors: where its standard error goes.
  ///   - environment: its variables; nil for ours.
  package init(
    _ command: [String], inputs: ToolProcess.Inputs? = nil, largest: Int, errors: ToolProcess.Errors = .shown,
    environment: [[UInt8]]? = nil
  ) throws(Failure) {
    self = try ToolProcess(command, inputs: inputs, errors: errors, environment: environment).finish(largest: largest)
    if output.count > largest { throw .tooLong }
  }
}
