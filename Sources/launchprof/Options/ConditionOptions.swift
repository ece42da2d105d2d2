import ArgumentParser
import LaunchObserver

/// What each launch is to find.
struct ConditionOptions: ParsableArguments {
  @Flag(
    help:
      "Put the program's files out of memory before each launch: executable, libraries, and what launches before read.")
  var cold = false

  @Option(
    help: ArgumentHelp("Give each launch a home of its own in this directory, with nothing in it.", valueName: "dir"),
    completion: .directory)
  var firstLaunch: String?

  var conditions: LaunchConditions { LaunchConditions(isCold: cold, firstLaunchDirectory: firstLaunch) }
}
