// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchSystem

/// Questions to git about the repository around the current directory.
enum GitQuestion {
  /// Git cannot be asked.
  struct Refusal: Error {
    /// Why, in the words of git.
    var reason: String
  }

  /// - Parameter largest: the most bytes that the answer may have.
  /// - Returns: what git wrote; nil if it has no answer.
  /// - Throws: `Refusal` if git answers nothing about this repository: it is not installed, or the repository belongs to
  ///   another user, as in the container of a CI job.
  static func ask(_ arguments: [String], largest: Int) throws(Refusal) -> [UInt8]? {
    if let answer = try run(arguments, largest: largest, errors: .hidden), answer.status == 0 { return answer.output }
    guard let known = try run(["rev-parse", "--git-dir"], largest: 1 << 16, errors: .read), known.status != 0 else {
      return nil
    }
    throw Refusal(reason: reason(in: String(decoding: known.output, as: UTF8.self)))
  }

  /// The lines of its answer, by default up to the ids of a million commits; nil if it has no answer.
  static func lines(_ arguments: [String], largest: Int = 64 << 20) throws(Refusal) -> [String]? {
    let lines = try ask(arguments, largest: largest)?.split(separator: UInt8(ascii: "\n"))
    return lines?.map { String(decoding: $0, as: UTF8.self) }
  }

  /// What git says first. If the repository belongs to another user, also what helps, which git says last.
  static func reason(in errors: String) -> String {
    let lines = errors.split(separator: "\n").map { String($0.drop { $0 == "\t" || $0 == " " }) }
    guard let first = lines.first else { return "it failed" }
    let help = lines.dropFirst().first { $0.hasPrefix("git config") && $0.contains("safe.directory") }
    return first + (help.map { "; run \($0)" } ?? "")
  }

  /// In a partial clone, git would ask the server for each commit that it does not have, one after the other, and perhaps a person
  /// for a password.
  private static var environment: [[UInt8]] {
    var (variables, place) = ([Array("GIT_NO_LAZY_FETCH=1".utf8), Array("GIT_TERMINAL_PROMPT=0".utf8)], environ)
    while let variable = place.pointee {
      variables.append(Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable))))
      place += 1
    }
    return variables
  }

  /// - Returns: nil if git wrote too much.
  private static func run(_ arguments: [String], largest: Int, errors: ToolProcess.Errors) throws(Refusal) -> ToolRun? {
    do throws(ToolRun.Failure) {
      return try ToolRun(["git"] + arguments, largest: largest, errors: errors, environment: environment)
    } catch {
      switch error {
      case .start(errno: ENOENT): throw Refusal(reason: "git is not installed")
      case .start(let number), .pipe(let number): throw Refusal(reason: systemMessage(number))
      case .tooLong: return nil
      }
    }
  }
}
