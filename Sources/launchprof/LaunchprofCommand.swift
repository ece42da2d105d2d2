// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLaunchCommand

@main
struct LaunchprofCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "launchprof",
    abstract: "Shows where a program spends its launch time, on which thread, and whether it keeps its budgets.",
    discussion: """
      launchprof record -- ./app        launch ./app, record it, print a report
      launchprof report                 print the latest report again
      launchprof open --in perfetto     open the latest recording in Perfetto
      launchprof compare base/ head/    show what got slower
      launchprof bench --vs 'old/app' -- ./app
                                        launch both in turns: which is slower?
      launchprof what-if -- ./app       predict what changes would save
      launchprof gate -- ./app          check budgets and a baseline, in CI

      Recordings are Perfetto traces. You can also open them in ui.perfetto.dev.
      """,
    version: Version.described,
    groupedSubcommands: Verbs.groups)

  static func main() {
    lc_begin_without_proc()
    StandardStream.occupyClosed()
    Verbs.prepareProcess()
    lc_return_large_blocks()
    // Parsing with all verbs and options would take a third of this launch.
    let arguments = Verbs.parsed(Array(CommandLine.arguments.dropFirst()))
    // Most calls name a verb and are right. Those are parsed with the options of that verb only. All others get their
    // help or message from the whole command.
    do {
      if arguments == ["--version"] { throw CleanExit.message(Version.described) }
      if let script = CompletionScript.asked(arguments) { throw CleanExit.message(script) }
      let verb = Verbs.simple(arguments.first)
      if verb == nil, let mistake = MistakenVerb(arguments) {
        let error = ValidationError(mistake.message)
        // ArgumentParser would add how to call launchprof.
        throw mistake.isInGroup ? fail(error, status: CommandStatus.usage) : error
      }
      var command = try (try? verb?.parseAsRoot(Array(arguments.dropFirst()))) ?? parseAsRoot(arguments)
      try ArgumentBytes.check(of: command)
      do { try command.run() } catch let error as ValidationError {
        // ArgumentParser does not know here which verb ran, and would add how to call launchprof without a verb.
        throw fail(error, status: CommandStatus.usage)
      }
    } catch let error as any ToldError {
      exit(withError: fail(error))
    } catch { end(by: Verbs.ended(by: error)) }
  }

  /// Help that cannot be written is an error, as any other output.
  private static func end(by error: any Error) -> Never {
    guard exitCode(for: error).isSuccess else { exit(withError: error) }
    let text = fullMessage(for: error)
    do { try FileOutput.write(lines: text) } catch { exit(withError: error) }
    exit()
  }
}
