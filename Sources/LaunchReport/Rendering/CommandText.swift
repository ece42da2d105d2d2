// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis
internal import LaunchSystem

/// How a program was started, in one line, quoted as for a shell: `python3 -c 'import json'`.
package enum CommandText {
  /// A command may have megabytes of arguments.
  private static let mostArguments = 200
  private static let mostScalars = 1000

  /// - Returns: nil if the trace has no arguments. Then the program's name says as much.
  static func of(_ timeline: LaunchTimeline) -> String? {
    let commandLine = timeline.commandLine
    guard commandLine.count > 1, let program = commandLine.first.map(fileName), !program.isEmpty else { return nil }
    let arguments = commandLine.dropFirst().prefix(mostArguments)
    let words = ([program] + arguments).map { quoted(PlainName.cut($0, to: mostScalars)) }
    let rest = commandLine.count > mostArguments + 1 ? " …" : ""
    return PlainName.escaped(PlainName.cut(words.joined(separator: " ") + rest, to: mostScalars))
  }

  /// A whole command, which a reader can copy.
  package static func line(_ words: [String]) -> String {
    PlainName.escaped(words.map(quoted).joined(separator: " "))
  }

  /// One word for a shell.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", "=", ":", ",", ".", "/", "@", "%": true
      default: scalar.value >= 0x80 && !scalar.properties.isWhitespace
      }
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing(scalars: ["'": "'\\''"]) + "'"
  }
}
