// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import LaunchTrace
import TestSupport

/// Results of comparisons and gates, for tests of their reports.
enum SampleResults {
  static func image(_ libraries: [String]) -> AnnotationValue {
    .dictionary([
      "libraries": .array(libraries.map(AnnotationValue.string)), "library_bytes": .uint(UInt64(libraries.count) << 20),
      "relocations": .uint(UInt64(libraries.count) * 12_000), "initializers": .uint(4), "bytes": .uint(90_000),
      "toolchain": .string("clang 21"), "build_id": .string("ab12"),
    ])
  }

  /// Slower, with one more library and a new interval.
  static let regression: GateResult = {
    var launches = ComparedLaunches(seed: 1)
    let base = launches.rounds(40, side: "base") { $0.launcher.append(("image", image(["libc.so.6", "libm.so.6"]))) }
    let head = launches.rounds(40, side: "head") {
      $0.launcher.append(("image", image(["libFoundation.so", "libc.so.6", "libm.so.6"])))
      $0.migration += 8_000
      $0.extra = 4_000
    }
    return result(base, head)
  }()

  static let same: GateResult = {
    var launches = ComparedLaunches(seed: 2)
    return result(launches.rounds(60, side: "base"), launches.rounds(60, side: "head"))
  }()

  static let sessions: GateResult = {
    var launches = ComparedLaunches(seed: 3)
    return result(launches.session("monday", 12), launches.session("tuesday", 12) { $0.database += 3_000 })
  }()

  static let otherMachine: GateResult = {
    var launches = ComparedLaunches(seed: 4)
    let head = launches.rounds(12, side: "head") { $0.launcher.append(("host", .string("other\u{1B}[31m<b>"))) }
    return result(launches.rounds(12, side: "base"), head)
  }()

  static let budgets: GateResult = {
    var launches = ComparedLaunches(seed: 5)
    let measured = Measurement.all(LaunchSet(samples: launches.session("s", 40)))
    var result = GateResult(comparison: nil, launches: measured)
    result.budgets =
      (try? BudgetCheck.all(
        [
          QuantileBudget(metric: "total", fraction: 0.5, limit: 60_000_000),
          QuantileBudget(metric: "phase/open-database", fraction: 0.9, limit: 25_000_000),
          QuantileBudget(metric: "read-configuration", fraction: 0.9, limit: 8_270_000),
        ], of: measured, tail: 0.005)) ?? []
    return result
  }()

  static let failed: GateResult = {
    var launches = ComparedLaunches(seed: 6)
    return result(launches.rounds(12, side: "base"), launches.rounds(11, side: "head") + [.crash()])
  }()

  static func result(_ base: [SampleLaunch], _ head: [SampleLaunch]) -> GateResult {
    let comparison = LaunchComparison(base: base, head: head)
    return GateResult(comparison: comparison, launches: comparison.head)
  }

  static let all: [(name: String, result: GateResult, status: GateResult.Status)] = [
    ("regression", regression, .regressed), ("same", same, .passed), ("sessions", sessions, .inconclusive),
    ("other-machine", otherMachine, .incomparable), ("budgets", budgets, .overBudget),
    ("failed", failed, .launchFailed),
  ]

  /// The launches do not say whether the time changed, but the head needs one more library.
  static let counted: GateResult = {
    var launches = ComparedLaunches(seed: 7)
    let base = launches.session("monday", 3) { $0.launcher.append(("image", image(["libc.so.6"]))) }
    let head = launches.session("tuesday", 3) {
      $0.launcher.append(("image", image(["libFoundation.so", "libc.so.6"])))
    }
    return result(base, head)
  }()

  /// The base has a phase of 1 or 30 ms that the head lacks. The estimated change is more than all of its median.
  static let gone: GateResult = {
    func launches(_ side: String) -> [SampleLaunch] {
      (1...40).map { run in
        var launch = SampleLaunch(preinit: 1_000_000)
        let end: Int64 = 3_000_000 + Int64(run) * 1000 + (run % 5 < 2 ? 29_000_000 : 0)
        if side == "base" { launch.phase("migrate", from: 2_000_000, to: end) }
        launch.mark("ready", at: 40_000_000 + Int64(run) * 1000)
        launch.launcher(
          exit: 50_000_000, [("session", .string("s")), ("side", .string(side)), ("run", .uint(UInt64(run)))])
        return launch
      }
    }
    return result(launches("base"), launches("head"))
  }()

  /// Four launches, with budgets of a microsecond and of 60 ms.
  static let few: GateResult = {
    var launches = ComparedLaunches(seed: 5)
    let measured = Measurement.all(LaunchSet(samples: launches.session("s", 4)))
    var result = GateResult(comparison: nil, launches: measured)
    result.budgets = [1_000, 60_000_000].compactMap { try? BudgetCheck("total", $0, of: measured) }
    return result
  }()
}
