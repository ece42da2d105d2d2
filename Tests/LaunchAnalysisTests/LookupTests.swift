// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import TestSupport
import Testing

@testable import LaunchAnalysis

/// First look-ups of a launch: what they took, why they were made, and what is said of them.
struct LookupTests {
  private static let millisecond: Int64 = 1_000_000
  private static let describing = ["swift_dynamicCast", "Swift._print_unlocked<A>(A) -> ()", "app.Log.write() -> ()"]

  private func timeline(calls: UInt64 = 10, _ fill: (inout SampleLaunch) -> Void) -> LaunchTimeline {
    var launch = SampleLaunch()
    launch.launcher(
      exit: 100 * Self.millisecond,
      [
        ("observer", .string("perf")), ("lookups", .string("uprobes")), ("globals_call_cost_ns", .uint(2_000)),
        ("globals_inside_cost_ns", .uint(500)), ("conformance_calls", .uint(calls)),
        ("conformance_repeats_ns", .uint(9_000)), ("type_name_calls", .uint(1)), ("cast_calls", .uint(5_611)),
      ])
    fill(&launch)
    return LaunchTimeline(trace: launch.trace())
  }

  @Test func timesAreWithoutTheProbesAlsoOfRepeats() throws {
    let table = timeline { launch in
      launch.lookup("app.A", "Swift.Encodable", from: 10 * Self.millisecond, to: 30 * Self.millisecond, callsInside: 5)
      launch.lookup("Swift.Array<Swift.Int>", nil, from: 12 * Self.millisecond, to: 22 * Self.millisecond)
    }.lookups
    #expect(table.lookups.map(\.name) == ["app.A: Encodable", "Array<Int>"])
    #expect(table.lookups.map(\.kind) == [.conformance, .typeName])
    // Four of the five inside were no first ones.
    #expect(table.lookups[0].duration == 20_000_000 - 500 - 5 * 2_000)
    #expect(table.lookups[0].selfTime == 20_000_000 - 500 - 5 * 2_000 - (10_000_000 - 500))
    #expect(table.calls[.conformance]?.count == 10 && table.calls[.conformance]?.repeatTime == 9_000 - 9 * 500)
    #expect(table.cost == 11 * 2_000 && table.lookups[0].isOnMainThread && table.lookups[0].asker == "app.main() -> ()")
  }

  @Test func theCauseIsWhatStandsBetween() {
    func cause(_ callers: [String]) -> Lookup.Cause? {
      timeline { $0.lookup("app.A", "app.P", from: 10, to: 20, callers: callers) }.lookups.lookups.first?.cause
    }
    #expect(cause(["swift_dynamicCast", "app.f() -> ()"]) == .cast && cause(Self.describing) == .describing)
    #expect(cause(["Swift.Mirror.init(reflecting: Any) -> Swift.Mirror", "app.f() -> ()"]) == .reflection)
    #expect(cause(["swift_getGenericMetadata", "Foundation.JSONEncoder.encode() -> ()", "app.f() -> ()"]) == .generics)
    #expect(cause(["app.f() -> ()", "swift_dynamicCast"]) == .other && cause([]) == .other)
  }

  @Test func manyOnTheMainThreadAreAFinding() throws {
    func finding(share: Int64, on thread: Bool = false) -> Finding? {
      let timeline = timeline { launch in
        let worker = thread ? launch.thread(5000, name: "worker") : nil
        for place in 0..<10 {
          let start = Int64(10 + 5 * place) * Self.millisecond
          launch.lookup(
            "app.T\(place)", "app.P", from: start, to: start + share * Self.millisecond / 10, on: worker,
            callers: Self.describing)
        }
      }
      return LaunchSet([timeline]).launches[0].findings.first { $0.id == FindingName.conformanceLookupsHeavy }
    }
    let heavy = try #require(finding(share: 20))
    #expect(heavy.occurrences == 10 && heavy.expected == 5_000_000 && heavy.actual == 20_000_000 - 10 * 500)
    #expect(heavy.subject == "String(describing:) and print" && heavy.advice.contains("ObjectIdentifier"))
    #expect(heavy.evidence.map(\.text).contains("asked for by app.Log.write() -> ()"))
    #expect(finding(share: 4) == nil, "4 % of the launch")
    #expect(finding(share: 20, on: true) == nil, "nobody waits for another thread")
  }

  /// The finding blamed the type that was looked up while another program had the processor.
  @Test func aWaitForAProcessorIsNoLookUp() throws {
    let timeline = timeline { launch in
      launch.lookup("app.A", "app.P", from: 10 * Self.millisecond, to: 31 * Self.millisecond, callsInside: 1)
      launch.lookup("app.B", nil, from: 12 * Self.millisecond, to: 30 * Self.millisecond)
      launch.pause(from: 13 * Self.millisecond, to: 29 * Self.millisecond, .preempted)
    }
    let lookups = timeline.lookups.lookups
    #expect(lookups.map(\.duration) == [4_997_500, 1_999_500])
    #expect(lookups.map(\.selfTime) == [2_998_000, 1_999_500])
    #expect(!timeline.findings.contains { $0.id == FindingName.conformanceLookupsHeavy })
  }

  @Test func comparisonsNameWhatIsNew() throws {
    func measurement(_ types: [String]) -> Measurement {
      let timeline = timeline { launch in
        for (place, type) in types.enumerated() {
          let start = Int64(10 * place + 1) * Self.millisecond
          launch.lookup(type, "app.P", from: start, to: start + Int64(place + 1) * Self.millisecond)
        }
      }
      return Measurement.all(LaunchSet([timeline]))[0]
    }
    var options = ComparisonOptions()
    let (base, head) = ([measurement(["app.A"])], [measurement(["app.A", "app.B", "app.C"])])
    let exact = LaunchComparison(base: base, head: head, options: options).exact
    let lookups = try #require(exact.first { $0.metric == .firstLookups })
    #expect(lookups.added == ["app.C: app.P", "app.B: app.P"] && !lookups.isRegression)
    options.exact[.firstLookups] = 1
    let gate = LaunchComparison(base: base, head: head, options: options)
    #expect(gate.exact.first { $0.metric == .firstLookups }?.isRegression == true)
    #expect(!gate.parts.contains { $0.metric.group == .interval })
  }

  /// To look for each of them in the list of new ones would take hours.
  @Test func manyLookUpsMayBeNew() throws {
    func measurement(_ count: Int64) -> Measurement {
      let timeline = timeline { launch in
        for place in 0..<count {
          launch.lookup("app.A\(place)", "app.P", from: 4000 * place, to: 4000 * place + 2000, callers: [])
        }
      }
      return Measurement.all(LaunchSet([timeline]))[0]
    }
    let exact = LaunchComparison(base: [measurement(1)], head: [measurement(20_000)]).exact
    let lookups = try #require(exact.first { $0.metric == .firstLookups })
    #expect(lookups.added.count == 19_999 && lookups.times.count == 19_999)
  }

  @Test func callsAreOnlyCounted() {
    let observation = timeline { _ in }.observation
    #expect(observation?.calls == [Observation.RuntimeCalls(kind: .casts, count: 5_611)])
    #expect(LaunchTimeline(trace: SampleLaunch.server().trace()).lookups.means == nil)
  }
}
