// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchHistory
import LaunchSystem
import LaunchTrace

/// The launches that a gate compares with: traces, or launches of the history.
enum GateBaseline {
  case launches([Measurement], of: BaselineCommit?)
  /// Why there is no baseline.
  case missing(String)
  /// There may be a baseline, but it cannot be read: why.
  case unreadable(String)

  /// - Parameters:
  ///   - name: a directory, a file or a pattern; otherwise the name of a baseline in the history, or of a commit, as the history
  ///     or git knows it. A program's folder may have the name of a branch, so a path without traces does not hide a baseline.
  ///   - store: the history.
  ///   - programs: of the history's launches, those of programs with these file names. Of traces of several programs, too.
  ///   - machines: and of these machines, if there are any.
  ///   - own: and of its configuration. They also say whether the commit must come before the head.
  ///   - scenario: and of this scenario. Of traces, too, only those count; nil for all.
  ///   - learnsSpread: whether the history is to say how much sessions differ.
  init(
    _ name: String, store: HistoryStoreOption, programs: Set<String>, machines: Set<String>, own: GateCheckOptions,
    scenario: String?, learnsSpread: Bool
  ) throws {
    var found: GateBaseline?
    var failure: (any Error)?
    do { found = try Self.recorded(name, programs, scenario) } catch { failure = error }
    if let found, found.launches != nil {
      for option in own.ofHistory {
        tell("\(option) has no effect: the baseline \(shown(name)) is traces, not a commit of the history")
      }
      self = found
      return
    }
    let kept = Self.kept(
      name, store: store, programs: programs, machines: machines, own: own, scenario: scenario,
      learnsSpread: learnsSpread, isPath: found != nil || failure != nil)
    if let failure, kept?.launches == nil { throw failure }
    self = kept ?? found ?? Self.absent(name, store, own)
  }

  /// The baseline in files; nil if the name is not that of a path or a pattern.
  private static func recorded(_ name: String, _ programs: Set<String>, _ scenario: String?) throws -> GateBaseline? {
    let paths: [String]
    do throws(FileError) { paths = try TraceArguments.resolve([name]) } catch {
      return .missing("the baseline \(error)")
    }
    guard paths != [name] || TraceArguments.exists(name) else { return nil }
    do throws(TraceError) { return .init(try Measuring.read(paths), programs: programs, scenario: scenario) } catch {
      // A trace of a newer version cannot be the baseline, but is not damaged.
      guard error.code == .unsupportedVersion else { throw error }
      return .unreadable("the baseline \(error)")
    }
  }

  /// The baseline in the history; nil if there is no history, or if it does not know the name of a path.
  private static func kept(
    _ name: String, store: HistoryStoreOption, programs: Set<String>, machines: Set<String>, own: GateCheckOptions,
    scenario: String?, learnsSpread: Bool, isPath: Bool
  ) -> GateBaseline? {
    guard TraceArguments.exists(store.place) else { return nil }
    do throws(HistoryError) {
      let history = try HistoryStore(path: store.place, makesNew: false)
      if isPath, !(try history.baselines().contains { $0.name == name }) { return nil }
      let configuration = HistoryKey.configuration(own.configuration, scenario: scenario)
      let usual = try history.usualConfiguration(of: programs)
      let choice = BaselineChoice(
        name: name, named: try history.commit(byAnyName: name, mayLackLaunches: own.nearestAncestor), history: history,
        programs: programs,
        configuration: configuration ?? usual, machines: machines, learnsSpread: learnsSpread)
      let (commit, launches) = try own.nearestAncestor ? choice.nearest() : choice.asNamed()
      return .init(launches, of: commit)
    } catch {
      // Of a path, the user hears both.
      let title = (error.isOfUnknownName ? "there is no baseline " : "the baseline ") + shown(name)
      let problem = title + (isPath ? " has no traces; " : ": ") + error.sentence
      guard error.code == .notFound else { return .unreadable(problem) }
      return .missing(problem + (error.isOfUnknownName ? makingOne(name, store, own) : ""))
    }
  }

  private static func absent(_ name: String, _ store: HistoryStoreOption, _ own: GateCheckOptions) -> GateBaseline {
    .missing(
      "the baseline \(shown(name)) is not a file or directory, and there is no history at \(store.place)"
        + makingOne(name, store, own))
  }

  /// How to make the first baseline. Who allows that there is none knows that.
  private static func makingOne(_ name: String, _ store: HistoryStoreOption, _ own: GateCheckOptions) -> String {
    // Without git's answer, the name may be that of a commit.
    guard !own.allowMissingBaseline, let known = try? CommitName.resolved(name) else { return "" }
    // A baseline of the same name would hide the commit, and stay where it is.
    let way =
      known != name || CommitID.isWhole(name)
      ? "to add its launches: " + store.command(["add", "--commit", name, "TRACES"])
      : "to make it: \(store.command(["add", "TRACES"])), \(store.command(["baseline", "set", name]))"
    return "; \(way); until then, --allow-missing-baseline checks only the budgets"
  }

  private init(_ launches: [Measurement], of commit: BaselineCommit? = nil) {
    self =
      launches.contains { $0.leftOut == nil }
      ? .launches(launches, of: commit) : .missing("the baseline has no launch that counts")
  }

  /// - Parameters:
  ///   - programs: of launches of several series, those of these programs count.
  ///   - scenario: only its launches count; nil for those without one.
  private init(_ launches: [Measurement], programs: Set<String>, scenario: String?) {
    let all = LaunchSeries.all(of: launches)
    let own = all.filter { $0.scenario == scenario && (scenario != nil || programs.contains($0.program)) }
    if scenario == nil, all.count < 2 {
      self.init(launches)
    } else if own.isEmpty {
      let names = scenario.map { "the scenario \(shown($0))" } ?? programs.sorted().map(shown).joined(separator: ", ")
      self = .missing("the baseline has no launch of \(names)")
    } else {
      self.init(Measurement.set(own.flatMap(\.launches)))
    }
  }

  /// nil if there is no baseline.
  var launches: [Measurement]? { if case .launches(let launches, _) = self { launches } else { nil } }

  /// nil if there is no baseline, or if it is not of the history.
  var commit: BaselineCommit? { if case .launches(_, let commit) = self { commit } else { nil } }

  /// Why there is no baseline; nil if there is one.
  var problem: String? {
    switch self {
    case .launches: nil
    case .missing(let reason), .unreadable(let reason): reason
    }
  }

  /// Whether there certainly is none, as before the first one is made.
  var isMissing: Bool { if case .missing = self { true } else { false } }
}
