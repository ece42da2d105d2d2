// SPDX-License-Identifier: Apache-2.0

internal import LaunchSystem

extension Findings {
  /// A lazy global is slow from this part of the launch, and from so many ns; in any case when it takes longer than an interval
  /// may.
  static let globalShare = 0.1
  static let globalLeast: Int64 = 1_000_000

  /// Lazy globals that the main thread initialised for long, and those that threads waited for.
  func lazyGlobals() -> [Finding] {
    let globals = timeline.lazyGlobals.globals
    guard !globals.isEmpty else { return [] }
    return (globals.compactMap(slow) + globals.compactMap(contended)).sorted(by: Self.worstFirst)
  }

  private func allowed(_ name: String) -> Int64 {
    timeline.budgets.intervals[name]
      ?? min(timeline.budgets.defaultInterval, threshold(Self.globalShare, least: Self.globalLeast))
  }

  private func slow(_ global: LazyGlobal) -> Finding? {
    let end = timeline.part(global.slice).upperBound
    // What it asked for has a finding of its own.
    let time = global.selfTime
    guard global.isOnMainThread, time > allowed(global.name) else { return nil }
    return Finding(
      id: FindingName.slowLazyGlobal, expected: allowed(global.name), actual: time, subject: global.name,
      start: global.start,
      evidence: askEvidence(global) + stateEvidence(from: global.start, to: end), advice: advice(for: global))
  }

  private func advice(for global: LazyGlobal) -> String {
    let asker = global.asker.isEmpty ? "" : " \(global.asker) uses it first."
    return switch global.owner {
    case .program: "Make it smaller, load it on another thread before it is needed, or use it later.\(asker)"
    case .language:
      "It belongs to \(global.module ?? fileName(global.image)): postpone the code that needs it.\(asker)"
    case .unknown: "The file has no symbols: record a build that has them, to see its name.\(asker)"
    }
  }

  /// One for each global, with the thread that waited the longest.
  private func contended(_ global: LazyGlobal) -> Finding? {
    guard let worst = global.waiters.max(by: { $0.duration < $1.duration }), worst.duration > allowed(global.name)
    else { return nil }
    let waiters = global.waiters.prefix(Self.othersShown).map {
      Evidence(.thread, "\($0.thread) waited", time: $0.duration)
    }
    let initializer = Evidence(.thread, "\(global.thread) initialised it", time: global.duration)
    return Finding(
      id: FindingName.lazyGlobalContended, expected: allowed(global.name), actual: worst.duration, subject: global.name,
      start: worst.start, occurrences: global.waiters.count,
      evidence: waiters + [initializer] + askEvidence(global),
      advice: "\(worst.thread) waited while \(global.thread) initialised it: use it earlier, or make it smaller.")
  }

  private func askEvidence(_ global: LazyGlobal) -> [Evidence] {
    let stack = global.askers.isEmpty ? [] : [Evidence(.stack, global.askers.reversed().joined(separator: " > "))]
    return stack + (global.image.isEmpty ? [] : [Evidence(.library, global.image)])
  }
}
