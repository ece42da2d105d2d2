// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchAnalysis
import TestSupport
import Testing

/// Finding where a series changes its level.
struct StepSearchTests {
  private static func logarithms(_ values: [Double]) -> [[Double]] { values.map { [log($0)] } }

  @Test func oneOutlierIsNoStep() {
    var values = (0..<24).map { 100 + Double($0 * 7 % 5) }
    values[11] = 5000
    #expect(StepSearch.steps(in: Self.logarithms(values)).isEmpty)
    for place in 14..<24 { values[place] += 16 }
    #expect(StepSearch.steps(in: Self.logarithms(values)).map(\.places) == [14...14])
  }

  @Test func whatIsTooShortOrAllTheSameHasNone() {
    for values in [[], [1], [1, 2, 3, 4], [1, 1, 1, 1, 1, 1, 1, 1]] as [[Double]] {
      #expect(StepSearch.steps(in: Self.logarithms(values)).isEmpty, "\(values)")
    }
  }

  @Test func severalStepsAreFound() {
    var levels: [Double] = []
    for level in [10.0, 13, 17] {
      for number in 0..<8 { levels.append(level + 0.01 * Double(number * 5 % 7)) }
    }
    let steps = StepSearch.steps(in: Self.logarithms(levels))
    #expect(steps.count == 2 && steps.first?.places.contains(8) == true && steps.last?.places.contains(16) == true)
  }

  /// A commit made launches slower, and a later one was its revert: one step explains neither.
  @Test func aChangeAndItsRevertAreTwoSteps() {
    for (before, slow, after) in [(10, 6, 7), (3, 3, 3), (30, 4, 20), (20, 25, 30)] {
      let count = before + slow + after
      func series(_ level: (Int) -> Double) -> [[Double]] {
        Self.logarithms((0..<count).map { level($0) * (1 + 0.004 * Double($0 * 5 % 7)) })
      }
      let isSlow = { (place: Int) in (before..<before + slow).contains(place) }
      let expected = [before, before + slow]
      for level in [1.4, 0.7] {
        let steps = StepSearch.steps(in: series { isSlow($0) ? 10 * level : 10 }, isOfOneMachine: true)
        #expect(steps.map(\.place) == expected, "\(before), \(slow), \(after): \(steps)")
      }
      // The CPU time shows it, the wall time only its direction.
      let wall = series { 10 * (1 + 0.2 * Double($0 * 3 % 4)) * (isSlow($0) ? 1.3 : 1) }
      let steps = StepSearch.steps(in: wall, companion: series { isSlow($0) ? 13 : 10 })
      #expect(steps.map(\.place) == expected, "\(before), \(slow), \(after), by CPU time: \(steps)")
    }
    // Two slow commits may be a busy minute of the machine.
    let two = (0..<20).map { place in
      let quiet = 10 + 0.04 * Double(place * 5 % 7)
      return (9...10).contains(place) ? 14 : quiet
    }
    #expect(StepSearch.steps(in: Self.logarithms(two)).isEmpty)
  }

  /// A new change in the last commit or two, which is too short to be found, hid a change and its revert.
  @Test func whatTheLastCommitsBeginHidesNothing() {
    let (fast, slow) = ([10.7, 10.64, 10.51, 10.56], [15.09, 15.57, 15.36, 15.31])
    let reverted = fast + slow + [10.18, 10.51, 10.48, 10.72]
    let cases: [(levels: [Double], places: [Int])] = [
      (reverted, [4, 8]), (reverted + [15.67], [4, 8]), (reverted + [15.67, 15.5], [4, 8]), (fast + slow + [10.6], [4]),
      (fast + [15.67], []), (fast + fast + [15.67, 15.5], []),
    ]
    for (levels, places) in cases {
      let found = StepSearch.steps(in: Self.launches(levels), isOfOneMachine: true)
      #expect(found.map(\.place) == places, "\(levels)")
      let companion = StepSearch.steps(
        in: Self.launches(levels), companion: Self.launches(levels), isOfOneMachine: true)
      #expect(companion.map(\.place) == places, "\(levels)")
    }
  }

  /// Twelve launches of each commit, which scatter by 4 %.
  private static func launches(_ levels: [Double]) -> [[Double]] {
    levels.enumerated().map { place, level in
      (0..<12).map { (launch: Int) -> Double in
        let noise = Double((launch * 5 + place * 3) % 7 - 3)
        return log(level) + 0.012 * noise
      }
    }
  }

  /// One slow minute of the machine in the middle of a short history made all commits look scattered.
  @Test(arguments: [15.5, 21, 32, 7.4]) func anOutlierInTheMiddleHidesNoStep(outlier: Double) {
    func places(_ levels: [Double], _ outlier: Double, at places: [Int]) -> [Int] {
      var levels = levels
      for place in places { levels[place] = outlier }
      return StepSearch.steps(in: Self.launches(levels), isOfOneMachine: true).map(\.place)
    }
    let (fast, slow) = ([10.7, 10.64, 10.51, 10.56, 10.6], [13.09, 13.57, 13.36, 13.31, 13.4])
    for place in 1...3 {
      #expect(places(fast + slow, outlier, at: [place]) == [5], "\(place)")
      #expect(places(slow + fast, outlier, at: [9 - place]) == [5], "\(place)")
      #expect(places(fast + slow + fast, outlier, at: [place]) == [5, 10], "\(place)")
      // An outlier, or two, are no step.
      #expect(places(fast + fast, outlier, at: [place]).isEmpty, "\(place)")
      #expect(places(fast + fast, outlier, at: [place, place + 1]).isEmpty, "\(place)")
    }
  }

  /// Steps of every size are placed at the right commit, or in an interval that contains it.
  @Test func stepsInRealLaunches() throws {
    let launches = try RealLaunches(.wall)
    var random = SeededGenerator("StepSearchTests", seed: 3)
    var (falsely, missed, wrong, certain) = (0, 0, 0, 0)
    for number in 0..<40 {
      let commits = [8, 12, 20][number % 3]
      if !StepSearch.steps(in: launches.series(commits, &random)).isEmpty { falsely += 1 }
      let place = Int.random(in: 3...(commits - 3), using: &random)
      let steps = StepSearch.steps(in: launches.series(commits, step: log(1.3), at: place, &random))
      missed += steps.isEmpty ? 1 : 0
      certain += steps.count { $0.places == place...place }
      wrong += steps.count { !$0.places.contains(place) }
    }
    #expect(falsely <= 1 && wrong <= 1, "\(falsely) false, \(wrong) wrong")
    #expect(missed <= 8 && certain >= 20, "\(missed) missed, \(certain) certain")
  }

  /// A busy machine hides a step of wall time from eight commits. The CPU time of the same launches shows it.
  @Test func shortSeriesOfABusyMachine() throws {
    let (walls, cpus) = (try RealLaunches(.wall, isBusy: true), try RealLaunches(.cpu, isBusy: true))
    var random = SeededGenerator("StepSearchTests", seed: 4)
    var (falsely, found, wrong, byWall) = (0, 0, 0, 0)
    for _ in 0..<40 {
      let starts = walls.starts(8, &random)
      func samples(_ launches: RealLaunches, _ step: Double, at place: Int) -> [[Double]] {
        launches.series(starts, step: step, at: place)
      }
      if !StepSearch.steps(in: samples(walls, 0, at: 0), companion: samples(cpus, 0, at: 0)).isEmpty { falsely += 1 }
      let place = Int.random(in: 3...5, using: &random)
      let stepped = samples(walls, log(1.3), at: place)
      let steps = StepSearch.steps(in: stepped, companion: samples(cpus, log(1.3), at: place))
      found += steps.isEmpty ? 0 : 1
      wrong += steps.count { !$0.places.contains(place) }
      byWall += StepSearch.steps(in: stepped).isEmpty ? 0 : 1
    }
    #expect(falsely <= 1 && wrong <= 1, "\(falsely) false, \(wrong) wrong")
    #expect(found >= 28 && byWall < 20, "\(found) found, \(byWall) of them by wall time")
  }

  /// Other work on the machine slows the launches of four commits, and scatters them. That is no step of the program.
  @Test func aBusyMachineIsNoStep() {
    let noise = [-1.5, -1.1, -0.8, -0.5, -0.2, -0.1, 0.1, 0.2, 0.5, 0.8, 1.1, 1.5]
    func series(_ level: Double, spread: Double) -> [[Double]] {
      (0..<8).map { commit in
        noise.map { commit < 4 ? 9.1 + 0.04 * $0 : 9.1 + level + spread * $0 }
      }
    }
    let busy = series(0.45, spread: 0.25)
    #expect(StepSearch.steps(in: busy).map(\.places) == [4...4])
    #expect(StepSearch.steps(in: busy, isOfOneMachine: true).isEmpty)
    #expect(StepSearch.steps(in: busy.reversed(), isOfOneMachine: true).isEmpty)
    // A program that got slower scatters as before. If it scatters less, the machine did not make it slower.
    for spread in [0.04, 0.01] {
      let slower = series(0.45, spread: spread)
      #expect(StepSearch.steps(in: slower, isOfOneMachine: true).map(\.places) == [4...4], "\(spread)")
    }
    // Far more than the machine explains.
    #expect(StepSearch.steps(in: series(2, spread: 0.25), isOfOneMachine: true).map(\.places) == [4...4])
  }

  /// CPU time that grew while the launch got faster is work that moved to another thread.
  @Test func aCompanionDecidesOnlyInTheDirectionOfTheSamples() {
    let noise = [10.0, 13, 9, 12, 8, 11, 9, 12, 8, 10, 13, 9]
    func levels(_ values: [Double], _ before: Double, _ after: Double) -> [[Double]] {
      Self.logarithms(values.enumerated().map { $0.element * ($0.offset < 6 ? before : after) })
    }
    let (slower, faster) = (levels(noise, 1, 1.2), levels(noise, 1.2, 1))
    let rising = levels([100, 101, 102, 100, 101, 102, 100, 101, 102, 100, 101, 102], 1, 1.3)
    #expect(StepSearch.steps(in: slower).isEmpty && StepSearch.steps(in: faster).isEmpty)
    #expect(StepSearch.steps(in: faster, companion: rising).isEmpty)
    let steps = StepSearch.steps(in: slower, companion: rising)
    #expect(steps.map(\.places) == [6...6] && steps.first?.isOfCompanion == true)
  }
}

/// Launches of a program that takes 9 ms, recorded on a quiet machine and on a busy one.
private struct RealLaunches {
  enum Column: Int { case wall, cpu }

  private let logarithms: [Double]
  private static let launches = 12

  init(_ column: Column, isBusy: Bool = false) throws {
    let path = PackageRoot.appending("Benchmarks/Data/gate/other-9ms.csv")
    guard let file = fopen(path, "r") else { throw ToolFailure("\(path): cannot be read") }
    defer { fclose(file) }
    var (line, size, values): (UnsafeMutablePointer<CChar>?, Int, [Double]) = (nil, 0, [])
    defer { free(line) }
    // After a header line, the first two columns are wall and CPU time in µs.
    while getline(&line, &size, file) > 0, let text = line {
      let cells = String(cString: text).split(separator: ",")
      if let value = Double(cells[column.rawValue]) { values.append(log(value)) }
    }
    try #require(values.count == 2400)
    // The machine was quiet for the first half.
    logarithms = Array(isBusy ? values[1200...] : values[..<1200])
  }

  /// Where the launches of each commit begin.
  func starts(_ commits: Int, _ random: inout SeededGenerator) -> [Int] {
    (0..<commits).map { _ in Int.random(in: 0...(logarithms.count - Self.launches), using: &random) }
  }

  /// A dozen consecutive launches for each commit.
  func series(_ starts: [Int], step: Double, at place: Int) -> [[Double]] {
    starts.enumerated().map { commit, start in
      logarithms[start..<(start + Self.launches)].map { $0 + (commit >= place ? step : 0) }
    }
  }

  func series(_ commits: Int, step: Double = 0, at place: Int = 0, _ random: inout SeededGenerator) -> [[Double]] {
    series(starts(commits, &random), step: step, at: place)
  }
}
