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

  /// Steps of every size are placed at the right commit, or in an interval that contains it.
  @Test func stepsInRealLaunches() throws {
    let launches = try RealLaunches()
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
    // Eight commits of a dozen launches seldom show the step, and often leave two or three commits.
    #expect(missed <= 24 && certain >= 3, "\(missed) missed, \(certain) certain")
  }
}

/// Launches of a program that takes 9 ms, recorded on a quiet machine.
private struct RealLaunches {
  private let logarithms: [Double]

  init() throws {
    let path = PackageRoot.appending("Benchmarks/Data/gate/other-9ms.csv")
    guard let file = fopen(path, "r") else { throw ToolFailure("\(path): cannot be read") }
    defer { fclose(file) }
    var (line, size, values): (UnsafeMutablePointer<CChar>?, Int, [Double]) = (nil, 0, [])
    defer { free(line) }
    // After a header line, the first column is wall time in µs. The first 1,200 rounds are the quiet ones.
    while values.count < 1200, getline(&line, &size, file) > 0, let text = line {
      let wall = strtod(text, nil)
      if wall > 0 { values.append(log(wall)) }
    }
    try #require(values.count == 1200)
    logarithms = values
  }

  /// A dozen consecutive launches for each commit, from a given place of the recording.
  func series(
    _ commits: Int, step: Double = 0, at place: Int = 0, _ random: inout SeededGenerator
  ) -> [[Double]] {
    (0..<commits).map { commit in
      let start = Int.random(in: 0...(logarithms.count - 12), using: &random)
      return logarithms[start..<(start + 12)].map { $0 + (commit >= place ? step : 0) }
    }
  }
}
