// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

/// Launches of two sides for tests of comparisons: a tool with three phases, noise, and the changes that a test makes.
package struct ComparedLaunches {
  package typealias Annotations = SampleLaunch.Annotations

  /// Times of one launch, µs.
  package struct Plan {
    package var configuration: Int64 = 8_000
    package var database: Int64 = 30_000
    package var index: Int64 = 12_000
    /// An interval inside the database's phase.
    package var migration: Int64 = 10_000
    /// An interval that only one side may have; nil for none.
    package var extra: Int64?
    package var cpu: Int64 = 45_000
    package var outcome = "exited"
    package var status = 0
    package var isWarmUp = false
    /// Whether the program says that it is ready.
    package var isReady = true
    package var launcher: Annotations = []
  }

  private var random: SeededGenerator
  /// Noise as a fraction of each time.
  package var noise = 0.03

  package init(seed: UInt64) { random = SeededGenerator("ComparedLaunches", seed: seed) }

  /// Launches with a session and a side, as in a live comparison.
  package mutating func rounds(
    _ count: Int, side: String, session: String = "s1", _ change: (inout Plan) -> Void = { _ in }
  ) -> [SampleLaunch] {
    (1...max(1, count)).map { round in
      var plan = Plan()
      plan.launcher = [("session", .string(session)), ("side", .string(side)), ("run", .uint(UInt64(round)))]
      change(&plan)
      return launch(plan)
    }
  }

  /// The launches of one call of `record`.
  package mutating func session(
    _ name: String, _ count: Int, _ change: (inout Plan) -> Void = { _ in }
  ) -> [SampleLaunch] {
    (1...max(1, count)).map { run in
      var plan = Plan()
      plan.launcher = [("session", .string(name)), ("run", .uint(UInt64(run)))]
      change(&plan)
      return launch(plan)
    }
  }

  package mutating func launch(_ plan: Plan) -> SampleLaunch {
    var launch = SampleLaunch()
    var time: Int64 = 2_000_000
    launch.recorder(preinit: time)
    func noisy(_ microseconds: Int64, _ random: inout SeededGenerator) -> Int64 {
      Int64(Double(microseconds) * 1000 * (1 + noise * Double.random(in: -1...1.5, using: &random)))
    }
    func phase(_ name: String, _ length: Int64) {
      launch.phase(name, from: time, to: time + length)
      time += length
    }
    phase("read-configuration", noisy(plan.configuration, &random))
    let (start, migration) = (time, noisy(plan.migration, &random))
    phase("open-database", noisy(plan.database, &random) + max(0, migration - 10_000_000))
    launch.interval("migrate", from: start + 1000, to: start + 1000 + migration)
    if let extra = plan.extra {
      let length = noisy(extra, &random)
      launch.interval("check license", from: time, to: time + length)
      time += length
    }
    phase("build-index", noisy(plan.index, &random))
    if plan.isReady { launch.mark("ready", at: time) }
    let cpu: Annotations = [
      ("user_cpu_ns", .uint(UInt64(noisy(plan.cpu, &random)))), ("system_cpu_ns", .uint(4_000_000)),
    ]
    launch.launcher(
      exit: time + 1_000_000, outcome: plan.outcome, status: plan.status, isWarmUp: plan.isWarmUp, cpu + plan.launcher)
    return launch
  }
}

extension LaunchSet {
  /// The launches' timelines, as a command reads them.
  package init(samples: [SampleLaunch], named name: String = "launch") {
    self.init(
      samples.map { LaunchTimeline(trace: $0.trace()) }, names: samples.indices.map { "\(name)-\($0 + 1).pftrace" })
  }
}

extension LaunchComparison {
  package init(
    base: [SampleLaunch], head: [SampleLaunch], options: ComparisonOptions = ComparisonOptions()
  ) {
    self.init(
      base: Measurement.all(LaunchSet(samples: base, named: "base")),
      head: Measurement.all(LaunchSet(samples: head, named: "head")), options: options)
  }
}

/// Launches of one session, as they are compared.
package func measured(
  _ count: Int, _ change: (inout ComparedLaunches.Plan) -> Void = { _ in }
) -> [Measurement] {
  var launches = ComparedLaunches(seed: 21)
  return Measurement.all(LaunchSet(samples: launches.session("s", count, change)))
}

extension BudgetCheck {
  /// A check of one budget.
  package init(
    _ metric: String, _ limit: Double, fraction: Double = 0.5, isTime: Bool = true, of launches: [Measurement],
    base: [Measurement] = []
  ) throws {
    let budget = QuantileBudget(metric: metric, fraction: fraction, limit: limit, isTime: isTime)
    self = try BudgetCheck.all([budget], of: launches, base: base, tail: 0.005)[0]
  }
}
