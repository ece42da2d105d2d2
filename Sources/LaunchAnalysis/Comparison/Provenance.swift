// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
package import LaunchTrace

/// Where a launch comes from. Two launches can be compared only if these fields match.
package struct Provenance: Sendable, Equatable {
  /// What can make two launches incomparable.
  package enum Field: String, Sendable, CaseIterable {
    /// The machine's name.
    case machine
    /// Model and number of its processors, and how many of them the launch could use if not all.
    case processor
    case kernel
    case toolchain
    /// `debug` or `release`, as the recorder was compiled.
    case buildMode = "build-mode"
    /// Why the program was launched.
    case reason
    /// Whether a person waited for it: `userLaunch`, `prewarming`, …
    case context
    /// `cold`, `warm`, `first`, …
    case kind
    /// The milestone that ends the launch.
    case end
    /// What decided that the program was ready: its own milestone, or a rule of `--ready`. Not compared if the milestones
    /// differ, too.
    case readyRule = "ready-rule"
  }

  /// The fields that are known.
  package var fields: [Field: String] = [:]
  /// The same for all launches of one call of the command, which share a machine and a minute. Empty if unknown.
  package var session = ""
  /// `base` or `head` in a live comparison.
  package var side: String?
  /// The scenario of a gate; nil for none.
  package var scenario: String?
  /// The number of the run; in a live comparison, of the round.
  package var round: Int
  package var image: ImageDescription?
  /// The program's file name; empty if unknown.
  package var program = ""
  /// The program's arguments, as far as the trace may contain them; nil if unknown.
  package var arguments: [String]?

  package init(round: Int) { self.round = round }
}

extension LaunchTimeline {
  /// What the launcher and the recorder wrote about the launch and its machine.
  package var provenance: Provenance {
    var result = Provenance(round: run?.number ?? 1)
    result.program = fileName(program)
    if let machine {
      result.fields[.machine] = machine.host
      result.fields[.kernel] = machine.kernel
      let some = machine.usableCPUs < machine.cpus ? "\(machine.usableCPUs) of " : ""
      result.fields[.processor] = "\(some)\(machine.cpus) × \(machine.cpuModel)"
    }
    result.fields[.readyRule] = readyRule?.name
    result.fields[.reason] = labels.reason
    result.fields[.context] = labels.context
    // A program that cannot tell contributes nothing.
    result.fields[.kind] = labels.knownKind
    for row in trace.instants(of: CategoryName.recorder)
    where trace.isTrack(trace.instants.track[row], of: processID) {
      let isDebug = trace.annotations(ofInstant: row).bool(LS_KEY_DEBUG_BUILD)
      if let isDebug { result.fields[.buildMode] = isDebug ? "debug" : "release" }
    }
    for row in trace.instants(of: CategoryName.launcher).map(trace.annotations(ofInstant:)) {
      result.session = row.string(LS_KEY_SESSION) ?? ""
      result.side = row.string(LS_KEY_SIDE)
      result.scenario = row.string(LS_KEY_SCENARIO)
      if let kind = row.string(LS_KEY_KIND) { result.fields[.kind] = kind }
      // A trace does not keep the empty list of a program without arguments.
      if row[LS_KEY_PROGRAM] != nil { result.arguments = row.strings(LS_KEY_ARGUMENTS) }
      guard let image = image(in: row) else { continue }
      result.image = image
      result.fields[.toolchain] = image.toolchain
    }
    return result
  }
}
