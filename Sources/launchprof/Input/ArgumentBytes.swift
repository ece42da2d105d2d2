// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// A verb that passes the last words of its command line to a program. Those need not be UTF-8.
protocol PassingCommand {
  /// The number of words that stay bytes.
  var passedWords: Int { get }
}

/// The command line as bytes.
enum ArgumentBytes {
  /// The last `count` arguments of the process.
  static func last(_ count: Int) -> [[UInt8]] {
    let all = CommandLine.unsafeArgv
    return (max(0, Int(CommandLine.argc) - max(0, count))..<Int(CommandLine.argc)).compactMap { index in
      all[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// Refuses names that are not UTF-8. As text, each would be another name, and launchprof would read or write another file.
  ///
  /// - Throws: `ExitCode`, after printing why.
  static func check(of command: some ParsableCommand) throws {
    let passed = (command as? any PassingCommand)?.passedWords ?? 0
    let own = last(Int(CommandLine.argc) - 1).dropLast(passed)
    guard let name = own.first(where: { String(validating: $0, as: UTF8.self) == nil }) else { return }
    throw fail(
      "\(shown(String(decoding: name, as: UTF8.self))): is not UTF-8; make a link with another name (ln -s), and name that",
      status: CommandStatus.usage)
  }
}
