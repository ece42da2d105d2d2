// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchSystem

/// A program and its arguments, which follow `--`.
struct PassedCommand {
  let program: String
  /// The program and its arguments as text.
  let words: [String]
  /// Bytes, because they need not be UTF-8.
  let arguments: [[UInt8]]

  /// - Parameter captured: the captured words, which may begin with `--`.
  init(_ captured: [String]) {
    words = Self.words(captured)
    program = words.first ?? ""
    arguments = ArgumentBytes.last(max(0, words.count - 1))
  }

  /// - Parameter words: the program, if there is one, and its arguments.
  init(words: [String]) {
    self.init(program: words.first ?? "", words: words, arguments: words.dropFirst().map { Array($0.utf8) })
  }

  /// - Parameters:
  ///   - command: nil for none.
  ///   - program: in its place, without its arguments; nil to keep it.
  ///   - arguments: after those of the command.
  init(_ command: PassedCommand?, program: String?, arguments: [String]) {
    let kept = program == nil ? command : nil
    self.program = program ?? command?.program ?? ""
    words = [self.program] + (kept?.words.dropFirst() ?? []) + arguments
    self.arguments = (kept?.arguments ?? []) + arguments.map { Array($0.utf8) }
  }

  /// The same arguments, for another program.
  func launching(_ program: String) -> PassedCommand {
    PassedCommand(program: program, words: [program] + words.dropFirst(), arguments: arguments)
  }

  private init(program: String, words: [String], arguments: [[UInt8]]) {
    (self.program, self.words, self.arguments) = (program, words, arguments)
  }

  /// With more words after `--`, ArgumentParser gets only the first: its time grows with the square of their number.
  private static let mostParsed = 500

  /// - Parameter arguments: of the command line, without the command itself.
  static func shortened(_ arguments: [String]) -> [String] {
    mark(beforeMany: arguments).map { Array(arguments[...($0 + 1)]) } ?? arguments
  }

  /// The place of `--`, if more words follow than are parsed.
  private static func mark(beforeMany arguments: [String]) -> Int? {
    arguments.firstIndex(of: "--").flatMap { arguments.count - $0 > mostParsed ? $0 : nil }
  }

  private static func words(_ captured: [String]) -> [String] {
    let own = captured.first == "--" ? captured.dropFirst() : captured[...]
    let given = CommandLine.arguments
    // The first `--` may be one of the program's own.
    guard captured.contains("--"), let mark = mark(beforeMany: given) else { return Array(own) }
    return own.dropLast() + given[(mark + 1)...]
  }

  /// - Throws: `ValidationError` if no program is named; what `answer` throws.
  static func validate(_ captured: [String], help command: any ParsableCommand.Type, verb: String) throws {
    try answer(captured.first, of: command)
    if let first = captured.first, first != "--", first.hasPrefix("-") {
      throw unknownOption(
        first, of: command, advice: "Write the program's own options after the program: -- program \(shown(first))")
    }
    let words = words(captured)
    if words.isEmpty { throw ValidationError("Name the program to launch: launchprof \(verb) -- program") }
    if isSwiftRun(words) {
      tell(
        "swift run builds the program before it launches it, and that counts as part of the launch. To launch only the program: "
          + "swift build -c release && launchprof \(verb) -- .build/release/NAME")
    }
  }

  private static func isSwiftRun(_ words: [String]) -> Bool {
    let name = fileName(words[0])
    return name == "swift-run" || (name == "swift" && words.dropFirst().first == "run")
  }

  /// - Parameter option: it builds the program in copies of the folder, in which the path must be.
  /// - Throws: `ValidationError` for an absolute path.
  func validateIsInFolder(option: String) throws {
    guard program.hasPrefix("/") else { return }
    throw ValidationError(
      "\(option) builds copies of this folder: name the program by its path in the folder, not \(shown(program)).")
  }

  /// ArgumentParser captures these words together with the program.
  ///
  /// - Throws: a request for help or for the version, if the word is one.
  static func answer(_ word: String?, of command: any ParsableCommand.Type) throws {
    if let word, ["-h", "--help", "-help"].contains(word) { throw CleanExit.helpRequest(command) }
    if word == "--version" { throw CleanExit.message(Version.described) }
  }

  /// The error for an option that a verb does not have.
  ///
  /// - Parameter advice: what else the user may have meant.
  static func unknownOption(_ option: String, of command: any ParsableCommand.Type, advice: String) -> ValidationError {
    // As of `record`, `gate` and `bench`.
    let counts = ["-n", "--runs", "--max-runs"]
    let own: String? =
      switch command {
      case is BenchCommand.Type: "--max-runs"
      case is GateCheckCommand.Type, is GateInitCommand.Type, is GateSelftestCommand.Type, is WhatIfCommand.Type:
        "--runs"
      default: nil
      }
    if let own, counts.contains(String(option.prefix { $0 != "=" })) {
      return ValidationError("Unknown option '\(shown(option))'. \(own) sets the number of launches.")
    }
    return ValidationError("Unknown option '\(shown(option))'. \(advice)")
  }
}
