// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LaunchFleet
import LaunchReport

struct FleetCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare the launches of two versions like for like: what got slower, and on which machines.",
    discussion: """
      --base and --head select the launches to compare, in the same way as --where: version=2.0, meta.channel=beta. A \
      different mix of machines on the two sides does not count as a change.

      \(GateStatus.fleetHelp)
      """)

  @OptionGroup var files: FleetFileOptions

  @Option(help: ArgumentHelp("The launches to compare with: version=2.0.", valueName: "column=value"))
  var base: [String]

  @Option(help: ArgumentHelp("The launches to judge: version=2.1.", valueName: "column=value"))
  var head: [String]

  @OptionGroup var comparing: FleetComparingOptions
  @OptionGroup var output: FleetOutputOptions

  func run() throws {
    let sides = (base: try FleetFileOptions.checked(base, "--base"), head: try FleetFileOptions.checked(head, "--head"))
    let comparison = try files.compare(comparing.options(base: sides.base, head: sides.head, files)).comparison
    if [.baselineMissing, .incomparable].contains(comparison.status) {
      try files.check(sides.base, "--base: ")
      try files.check(sides.head, "--head: ")
    }
    try output.write(FleetDocument(comparison), from: files)
    try GateStatus.end(comparison.status, comparing.policy)
  }
}
