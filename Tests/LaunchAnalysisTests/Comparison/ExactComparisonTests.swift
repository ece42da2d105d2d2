// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchAnalysis

/// Counts that launches of one program may differ in by chance.
struct ExactComparisonTests {
  /// Launches with the libraries `lib0` to `lib<count - 1>`, as many globals and look-ups, and 4096 bytes of each.
  private func launches(_ counts: [Int]) -> [Measurement] {
    counts.map { count in
      var launch = Measurement(
        name: "", leftOut: nil, provenance: Provenance(round: 1), endMilestone: "exit", values: [:], flame: [:],
        isCPUOfLaunch: true)
      let names = (0..<count).map { "lib\($0)" }
      launch.loaded = LoadedLibraries(mapped: names, bytes: Int64(count) * 4096, opened: names)
      launch.globals = FirstTimes(names.map { ($0, 1) })
      launch.lookups = launch.globals
      return launch
    }
  }

  private static let counts: [ExactCount] = [.mappedLibraries, .openedLibraries, .lazyGlobals, .firstLookups]

  private func compared(_ base: [Int], _ head: [Int]) -> [ExactComparison] {
    var allowed = ExactAllowances()
    for count in ExactCount.allCases { allowed[count] = 0 }
    return ExactComparison.all(launches(base), launches(head), allowed)
  }

  /// The launch that differs is neither the first nor the last of its side.
  @Test(arguments: [([4, 5, 4], [5, 5]), ([4, 4], [5, 4, 5])])
  func whatOneLaunchLoadsByChanceIsNoRegression(base: [Int], head: [Int]) {
    let exact = compared(base, head)
    #expect(Set(exact.map(\.metric)) == Set(Self.counts + [.mappedBytes]))
    #expect(exact.allSatisfy { !$0.isRegression && $0.difference == 0 && $0.added.isEmpty }, "\(exact)")
  }

  @Test func whatEachLaunchOfTheHeadLoadsIsOne() {
    let exact = compared([4, 5, 4], [7, 6, 8])
    #expect(exact.allSatisfy { $0.isRegression }, "\(exact)")
    for one in exact where one.metric != .mappedBytes {
      #expect((one.base, one.head) == (5, 6) && one.added == ["lib5"], "\(one)")
    }
    #expect(exact.first { $0.metric == .mappedBytes }?.difference == 4096)
  }
}
