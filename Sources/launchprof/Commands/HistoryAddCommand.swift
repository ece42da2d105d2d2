// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LaunchAnalysis
import LaunchHistory
import LaunchRecord

struct HistoryAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add recorded launches to the history: all of them, or none. A launch that is already there is skipped.")

  @Option(
    help: ArgumentHelp(
      "Commit that was launched, such as HEAD~1 (default: the one that CI names, else the one checked out).",
      valueName: "id"))
  var commit: String?

  @Option(
    help: ArgumentHelp(
      "Name for how the program was built and run (default: default). The name of a gate's scenario is added to it.",
      valueName: "name"))
  var configuration: String?

  @Option(
    help: ArgumentHelp(
      "Name for the machine (default: its own, which containers and CI runners change).", valueName: "name"))
  var machine: String?

  @OptionGroup var store: HistoryStoreOption

  @Argument(help: ArgumentHelp("Traces, directories of traces, or patterns.", valueName: "trace"), completion: .file())
  var traces: [String]

  func validate() throws {
    if commit?.isEmpty == true { throw ValidationError("--commit: expected the id of a commit.") }
    if configuration?.isEmpty == true { throw ValidationError("--configuration: expected a name.") }
    if machine?.isEmpty == true { throw ValidationError("--machine: expected a name.") }
  }

  func run() throws {
    guard let commit = try commit.map(CommitName.asked) ?? CommitName.current() else {
      throw fail("no commit is checked out here; name one with --commit", status: CommandStatus.usage)
    }
    let paths = try TraceArguments.files(traces)
    let launches = try Reporting.launches(paths).launches.map { launch in
      let timeline = launch.timeline
      // Machine, process and start time identify a launch. Traces of other tools have no machine, and often begin at 0.
      let identity =
        timeline.machine.map { "\($0.host) \(timeline.processID) \(timeline.start) \(timeline.total)" }
        ?? timeline.record().text(.id) ?? ""
      return (measurement: Measurement(launch), identity: identity)
    }
    let history = try store.open(makesNew: true)
    func key(_ launch: Measurement) -> HistoryKey {
      HistoryKey(
        program: launch.provenance.program, machine: machine ?? launch.provenance.fields[.machine] ?? "",
        configuration: HistoryKey.configuration(configuration, scenario: launch.provenance.scenario)
          ?? HistoryKey.usualConfiguration)
    }
    let (added, others, keys) = try history.add(launches, key: key, commit: commit, now: Int64(time(nil)))
    let other = others.filter { $0 != commit }
    let elsewhere = elsewhere(other, keys.subtracting(launches.map { key($0.measurement) }), commit)
    let rest = added == launches.count ? "" : "; the others were already there" + elsewhere
    let useless = LaunchSet.LeftOut.text(
      LaunchSet.LeftOut.counts(launches.map(\.measurement.leftOut)).filter { !$0.reason.isPopulation })
    tell(
      "\(history.path): added \(added) of \(DecimalText.counted(launches.count, "launch")) for commit \(shown(commit))"
        + rest + (useless.isEmpty ? "" : "; these do not count: \(useless)"))
    guard added > 0 else { return }
    let rows = try history.launches(HistoryFilter(commit: commit))
    for mixed in Set(launches.map { key($0.measurement) }).sorted(by: { $0.title < $1.title }) {
      try tellOfDifferences(of: rows.filter { $0.key == mixed }.map(\.measurement), mixed)
    }
  }

  /// Where launches are already that were not added, and how to take them out.
  ///
  /// - Parameters:
  ///   - commits: other ones than the commit of this call.
  ///   - keys: other ones than those of this call.
  private func elsewhere(_ commits: [String], _ keys: Set<HistoryKey>, _ commit: String) -> String {
    if commits.isEmpty, keys.isEmpty { return "" }
    let keys = keys.sorted { $0.title < $1.title }
    // The whole key, because the same commit may have right launches in another series.
    let removals =
      commits.isEmpty
      ? keys.map {
        [commit, "--program", $0.program, "--machine", $0.machine, "--configuration", $0.configuration]
      } : commits.map { [$0] }
    let commands = removals.map { store.command(["remove", "--commit"] + $0) }.joined(separator: " && ")
    let series = keys.map { shown($0.title) }.joined(separator: ", ")
    return (commits.isEmpty ? "" : ", as launches of commit \(commits.map(shown).joined(separator: ", "))")
      + (series.isEmpty ? "" : ", in the series \(series)") + "; if that is wrong, \(commands) takes them out"
  }

  /// Programs of one name, as in a repository of several services, and one program with several arguments would be mixed.
  private func tellOfDifferences(of launches: [Measurement], _ key: HistoryKey) throws {
    let builds = Set(launches.compactMap { $0.provenance.image?.buildID })
    let arguments = Set(launches.compactMap(\.provenance.arguments))
    if key.program.isEmpty {
      tell("These traces do not name their program. To keep programs apart, give each a --configuration")
    }
    guard builds.count > 1 || arguments.count > 1 else { return }
    let what = builds.count > 1 ? "\(builds.count) builds" : "\(arguments.count) sets of arguments"
    tell(
      "Launches of \(what) of \(shown(key.program)) are now one point of a series. To keep different programs or arguments "
        + "apart, give each a --configuration")
  }
}
