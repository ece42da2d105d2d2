// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchObserver

/// The conditions of each launch.
struct ConditionOptions: ParsableArguments {
  @Flag(
    help: """
      Launch from the disk: before each launch, remove the executable, its libraries and the files that earlier \
      launches read from the page cache.
      """)
  var cold = false

  @Option(
    help: ArgumentHelp("Give each launch a new, empty home directory below this one.", valueName: "dir"),
    completion: .directory)
  var firstLaunch: String?

  var conditions: LaunchConditions { LaunchConditions(isCold: cold, firstLaunchDirectory: firstLaunch) }
}
