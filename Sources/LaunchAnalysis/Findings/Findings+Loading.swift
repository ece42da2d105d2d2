// SPDX-License-Identifier: Apache-2.0

internal import CLaunchSchema
internal import LaunchSystem
internal import LaunchTrace

extension Findings {
  /// Opening code during the launch raises a finding above this share of the launch, and above this time in ns.
  static let loadingShare = 0.2
  static let loadingLeast: Int64 = 1_000_000

  /// Libraries that the main thread opened by itself (`dlopen`).
  func loading() -> Finding? {
    let slices = timeline.trace.slices
    guard let name = timeline.trace.strings.id(of: LS_EVENT_DLOPEN)?.rawValue else { return nil }
    let rows = timeline.trace.slices(of: CategoryName.library).filter {
      slices.name[$0] == name && timeline.isOfLaunch($0) && timeline.spans.flags[$0].contains(.mainThread)
    }
    // An initialiser may go on after the launch.
    let byTime = rows.sorted { timeline.part($0).count > timeline.part($1).count }
    guard let longest = byTime.first else { return nil }
    let times = Time.union(rows.map(timeline.part))
    // A wait for a processor makes no opening slow, but its time is as long as the tree of intervals has it.
    let total = times.reduce(0) { $0 + timeline.work(in: $1) }
    let allowed = max(Int64(Double(timeline.total) * Self.loadingShare) / 100_000 * 100_000, Self.loadingLeast)
    let isOne = timeline.work(in: timeline.part(longest)) > timeline.budgets.defaultInterval
    guard total > allowed || isOne else { return nil }
    let library = paths(longest).first.map(fileName) ?? "dlopen"
    return Finding(
      id: FindingName.dlopenAtLaunch, expected: isOne ? timeline.budgets.defaultInterval : allowed,
      actual: times.reduce(0) { $0 + Int64($1.count) },
      subject: library, start: timeline.part(longest).lowerBound, occurrences: rows.count,
      others: rows.count - 1, sum: .all,
      evidence: byTime.prefix(4).map { row in
        Evidence(.library, paths(row).joined(separator: ", "), time: Int64(timeline.part(row).count))
      }, advice: openingAdvice(longest))
  }

  /// The program decides when to open its own libraries. A library of the system may have been opened by another
  /// library.
  private func openingAdvice(_ row: SliceIndex) -> String {
    let ofSystem = ["/usr/lib", "/lib", "/usr/libexec"]
    guard let path = paths(row).first else { return "Open libraries when they are first needed, after the launch." }
    let name = fileName(path)
    let isOfSystem = ofSystem.contains { path.hasPrefix($0 + "/") || path.hasPrefix($0 + "64/") }
    let opener = isOfSystem ? "The program, or a library that it uses, opened \(name)" : "The program opened \(name)"
    if timeline.runsCode(of: path, from: timeline.spans.end(row)) {
      return "\(opener), and the launch runs its code. Avoid it if the launch can do without it."
    }
    return isOfSystem
      ? "\(opener). Postpone the code that needs it, or avoid it."
      : "Open \(name) when it is first needed, link it, or avoid it."
  }

  /// The libraries that one `dlopen` loaded.
  private func paths(_ row: SliceIndex) -> [String] {
    timeline.trace.annotations(ofSlice: row).oneOrMoreStrings(LS_KEY_PATH)
  }

  /// Set-up for the first launch after installation that ran in another launch.
  func repeatedSetup() -> Finding? {
    // A cold launch may be a first launch. A launch may have several kinds: `first, page-cache cold`.
    guard let kind = timeline.labels.kind else { return nil }
    let kinds = Labels.kinds(kind)
    guard !kinds.contains(LS_LAUNCH_KIND_FIRST),
      !kinds.isDisjoint(with: [LS_LAUNCH_KIND_WARM, "hot", LS_LAUNCH_KIND_RESUME])
    else { return nil }
    return timeline.setup.map { timeline.repeatedSetup($0, because: "the kind of this launch is \(kind)") }
  }
}

extension LaunchTimeline {
  /// The phase of one-time set-up; nil if there is none on the main thread, or if it took no time.
  var setup: Phase? {
    func find(_ phases: [Phase]) -> Phase? {
      for phase in phases {
        if phase.id == PhaseName.oneTimeSetup, phase.duration > 0 { return phase }
        if let inner = find(phase.children) { return inner }
      }
      return nil
    }
    return find(phases)
  }

  func repeatedSetup(_ setup: Phase, because reason: String) -> Finding {
    Finding(
      id: FindingName.oneTimeSetupRepeated, expected: 0, actual: setup.duration, subject: setup.id,
      start: setup.start, evidence: [Evidence(.note, reason)],
      advice: "Record that the set-up is done, for example in a file, and check that first.",
      phase: phaseName(at: setup.start))
  }

  /// The top-level phase at a time; nil for a trace that says nothing of phases.
  func phaseName(at time: Int64) -> String? {
    let id = phases.place(at: time).map { phases[$0].id }
    return id == PhaseName.trace ? nil : id
  }
}
