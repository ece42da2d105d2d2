// SPDX-License-Identifier: Apache-2.0

/// Tests that run the built command. Each test has a directory of its own.
class CommandSuite {
  let launchprof: Launchprof

  init() throws { launchprof = try Launchprof() }
}

/// Tests of what the observer sees.
class ObservingSuite: CommandSuite {
  override init() throws {
    try requirePerf()
    try super.init()
  }
}
