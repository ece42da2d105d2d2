// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import LaunchSystem

/// Finds a program like execvp(3), and explains why one cannot be executed.
package struct ProgramSearch {
  let program: String
  /// Paths to try, in order. Never empty.
  let candidates: [String]
  /// `candidates` as bytes for the kernel: file names need not be UTF-8.
  let nativeCandidates: [[UInt8]]

  /// - Parameters:
  ///   - bytes: the program's name; nil for the string's own bytes.
  ///   - path: the value of `PATH`, nil if it is not set. Its directories need not be UTF-8, either.
  init(_ program: String, bytes: [UInt8]? = nil, path: [UInt8]?) {
    self.program = program
    let bytes = bytes ?? Array(program.utf8)
    guard !program.isEmpty, !program.contains("/") else {
      candidates = [program]
      nativeCandidates = [bytes]
      return
    }
    // execvp(3): without PATH, confstr(_CS_PATH). An empty element means the current directory.
    let places = (path ?? Array("/bin:/usr/bin".utf8)).split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    candidates = places.map { $0.isEmpty ? program : "\(String(decoding: $0, as: UTF8.self))/\(program)" }
    nativeCandidates = places.map { $0.isEmpty ? bytes : Array($0) + [UInt8(ascii: "/")] + bytes }
  }

  /// With the `PATH` of this process.
  package init(_ program: String) { self.init(program, path: LaunchEnvironment().bytes("PATH")) }

  /// The file that execve will probably use; nil if none is executable.
  package var firstExecutable: String? { candidates.first { access($0, X_OK) == 0 && isRegular($0) } }

  /// - Throws: the `LaunchError` of a launch, if no file of this name is executable.
  package func check() throws(LaunchError) {
    guard firstExecutable == nil else { return }
    let found = candidates.firstIndex { access($0, F_OK) == 0 }
    throw explain(found == nil ? ENOENT : EACCES, at: found ?? 0)
  }

  /// The error for an execve that failed with `error` at `candidate`.
  func explain(_ error: Int32, at candidate: Int) -> LaunchError {
    let path = candidates.indices.contains(candidate) ? candidates[candidate] : program
    switch error {
    case ENOENT, ENOTDIR: return explainMissing(path, error)
    case EACCES: return refuse(path, error, explainDenied(path))
    case ENOEXEC: return refuse(path, error, ExecutableHead(path: path).explainFormat())
    case E2BIG: return refuse(path, error, "the arguments and the environment are too long for the kernel")
    case ETXTBSY: return refuse(path, error, "the file is being written; wait until it is complete")
    case ELOOP: return refuse(path, error, "too many symbolic links; does it point to itself?")
    case ENAMETOOLONG: return refuse(path, error, "the name is too long")
    default: return LaunchError(.cannotLaunch, path: path, message: systemMessage(error), errno: error)
    }
  }

  private func refuse(_ path: String, _ error: Int32, _ message: String) -> LaunchError {
    LaunchError(.notExecutable, path: path, message: message, errno: error)
  }

  private func explainMissing(_ path: String, _ error: Int32) -> LaunchError {
    if access(path, F_OK) == 0, let missing = missingInterpreter(of: path) {
      return LaunchError(.notFound, path: path, message: missing, errno: error)
    }
    guard !program.contains("/"), !program.isEmpty else {
      let what = program.isEmpty ? "the program's name is empty" : "no such program"
      return LaunchError(.notFound, path: program, message: what, errno: error)
    }
    let here = access(program, X_OK) == 0 ? "; did you mean ./\(program)?" : "; give its path, or add it to PATH"
    return LaunchError(.notFound, path: program, message: "not found in PATH\(here)", errno: error)
  }

  /// Why there is no interpreter, its own or that of a script that interprets it; nil if all are there.
  private func missingInterpreter(of path: String) -> String? {
    var script = path
    // The kernel follows at most four scripts whose interpreter is a script (execve(2)).
    for _ in 0...4 {
      let head = ExecutableHead(path: script)
      guard let interpreter = head.interpreter else { return nil }
      if access(interpreter, F_OK) != 0 {
        if head.hasWindowsLineEnds {
          let place = script == path ? "its first line" : "the first line of \(script)"
          return
            "\(place) ends with a carriage return, as on Windows, so \(interpreter) is not found; "
            + "convert the file: sed -i 's/\\r$//' \"\(script)\""
        }
        let missing = script == path ? "its interpreter \(interpreter)" : "the interpreter \(interpreter) of \(script)"
        return "\(missing) does not exist; install it, or correct the file"
      }
      script = interpreter
    }
    return nil
  }

  private func explainDenied(_ path: String) -> String {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return "permission denied for a directory of its path" }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: return "is a directory; name the executable inside it"
    case S_IFREG where facts.st_mode & 0o111 == 0: return "is not executable; if it is a program, run chmod +x"
    case S_IFREG:
      let head = ExecutableHead(path: path)
      if head.namesNoProgram { return head.explainFormat() }
      return "permission denied; check its permissions, and whether its file system is mounted noexec"
    default: return "is not a regular file"
    }
  }
}
