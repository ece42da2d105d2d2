// SPDX-License-Identifier: Apache-2.0

internal import LaunchObserver

/// Runs a program in a directory, with its output in a file. A signal to launchprof does not end launchprof meanwhile.
struct ShellCommand {
  let arguments: [String]
  let directory: String
  /// Variables to remove from the environment.
  var removed: [String] = []

  /// Runs the program and waits for its end.
  ///
  /// - Parameters:
  ///   - log: the file for its output, which is overwritten.
  ///   - errors: the file for its standard error, which is overwritten; nil for `log`.
  /// - Returns: its exit status; 128 plus the signal's number if a signal ended it.
  /// - Throws: `CommitError.git` when the program cannot be run, `.interrupted` when the user asked to stop meanwhile.
  func run(log: String, errors: String? = nil) throws(CommitError) -> Int32 {
    // Redirected first: also what the shell says goes to the files.
    let script = """
      exec </dev/null >"$1" 2>"$2" || exit; [ "$1" != "$2" ] || exec 2>&1
      unset $3; cd "$0" || exit; shift 3; exec "$@"
      """
    let unwanted = (removed + [LaunchVariable.start]).joined(separator: " ")
    let words = ["-c", script, directory, log, errors ?? log, unwanted] + arguments
    let (result, interruption): (LaunchResult, Int32?)
    do {
      let launcher = try ProgramLauncher()
      result = try launcher.launch(LaunchRequest(program: "/bin/sh", arguments: words.map { Array($0.utf8) }))
      interruption = result.interruption ?? launcher.pendingInterruption()
    } catch {
      throw CommitError(code: .git, subject: arguments[0], message: "cannot be run in \(directory): \(error.message)")
    }
    if let signal = interruption {
      throw CommitError(code: .interrupted, subject: arguments[0], message: "was interrupted", signal: signal)
    }
    switch result.ending {
    case .exited(let status): return status
    case .signalled(let signal): return 128 + signal
    case .timedOut: return 128
    }
  }
}
