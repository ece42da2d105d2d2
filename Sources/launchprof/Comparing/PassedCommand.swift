import ArgumentParser

/// A program and its arguments as they stand behind `--`.
struct PassedCommand {
  let program: String
  /// The program and its arguments as text.
  let words: [String]
  /// Byte for byte: they need not be UTF-8.
  let arguments: [[UInt8]]

  /// - Parameter captured: what was captured for the program, with what stands before it.
  init(_ captured: [String]) {
    words = Self.words(captured)
    program = words.first ?? ""
    arguments = programArguments(count: max(0, words.count - 1))
  }

  private static func words(_ captured: [String]) -> [String] {
    Array(captured.first == "--" ? captured.dropFirst() : captured[...])
  }

  /// - Throws: `ValidationError` for what names no program, a request for help where that is meant.
  static func validate(_ captured: [String], help command: any ParsableCommand.Type, verb: String) throws {
    // All that stands before the program and is no option of ours is captured with it.
    if let first = captured.first, ["-h", "--help", "-help"].contains(first) { throw CleanExit.helpRequest(command) }
    if let first = captured.first, first != "--", first.hasPrefix("-") {
      throw ValidationError(
        "Unknown option '\(shown(first))'. Write the program's own options after the program: -- program \(shown(first))"
      )
    }
    if words(captured).isEmpty { throw ValidationError("Name the program to launch: launchprof \(verb) -- program") }
  }
}
