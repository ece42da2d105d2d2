// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// The conditions of each launch.
struct ConditionOptions: ParsableArguments {
  @Flag(
    help: """
      Launch from the disk. Before each launch, the page cache drops the executable, its libraries, and the files that \
      earlier launches waited for; as root, all that they opened (--warmup 1 finds these). No file is deleted.
      """)
  var cold = false

  @Option(
    help: ArgumentHelp("Give each launch a new, empty home directory below this one.", valueName: "dir"),
    completion: .directory)
  var firstLaunch: String?

  var conditions: LaunchConditions { LaunchConditions(isCold: cold, firstLaunchDirectory: firstLaunch) }
}
