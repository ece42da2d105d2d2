// SPDX-License-Identifier: Apache-2.0

/// Tests that run the built command. Each test has a directory of its own.
open class CommandSuite {
  package let launchprof: Launchprof

  package init() throws { launchprof = try Launchprof() }
}

/// Tests of what the observer sees.
open class ObservingSuite: CommandSuite {
  package override init() throws {
    try requirePerf()
    try super.init()
  }
}
