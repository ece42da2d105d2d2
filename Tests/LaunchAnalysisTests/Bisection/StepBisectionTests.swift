// SPDX-License-Identifier: Apache-2.0

import LaunchAnalysis
import Testing

struct StepBisectionTests {
  private static let step = StepBisection.Step(size: 0.05, spread: 0.05)

  /// Searches a line whose commits from `guilty` on are slow.
  ///
  /// - Returns: the search when it is decided, and how many rounds it took.
  private func search(
    count: Int, guilty: Int, broken: Set<Int> = [], random: inout SeededRandom
  ) -> (search: StepBisection, rounds: Int) {
    var search = StepBisection(count: count, step: Self.step)
    var rounds = 0
    while !search.isDecided, rounds < 10_000, let place = search.next {
      if broken.contains(place) {
        search.skip(place)
        continue
      }
      let slow = place >= guilty ? Self.step.size : 0
      let differences = (0..<20).map { _ in slow + Self.noise(&random) }
      search.observe(differences, at: place)
      rounds += 20
    }
    return (search, rounds)
  }

  /// Sums of uniform numbers, and now and then a launch that met another program.
  private static func noise(_ random: inout SeededRandom) -> Double {
    let sum = (0..<6).reduce(0) { sum, _ in sum + random.next(below: 1001) - 500 }
    return Double(sum) / 1000 * 0.05 + (random.next(below: 10) == 0 ? 0.4 : 0)
  }

  @Test func theGuiltyCommitIsFoundWithFewBuilds() {
    var random = SeededRandom(seed: 1)
    var (right, builds, rounds) = (0, 0, 0)
    for draw in 0..<40 {
      let guilty = 1 + (draw * 37) % 100
      let (search, count) = search(count: 100, guilty: guilty, random: &random)
      if search.candidate.places == guilty...guilty { right += 1 }
      builds += search.built.count
      rounds += count
      #expect(search.isDecided && search.candidate.probability >= StepBisection.confidence)
    }
    #expect(right >= 39)
    // A bisection of 100 commits takes 6.6 builds, if it never errs.
    #expect(builds <= 40 * 9 && rounds <= 40 * 400)
  }

  @Test func aCommitThatDoesNotBuildCannotBeToldApart() {
    var random = SeededRandom(seed: 2)
    let search = search(count: 24, guilty: 12, broken: [11], random: &random).search
    #expect(search.candidate.places == 11...12)
    #expect(search.broken == [11])
    // Where it does not matter, it is nobody's concern.
    let other = self.search(count: 24, guilty: 5, broken: [12], random: &random).search
    #expect(other.candidate.places == 5...5)
  }

  @Test func theEndsOfTheLineAreCommitsToo() {
    var random = SeededRandom(seed: 3)
    for guilty in [1, 24] {
      #expect(search(count: 24, guilty: guilty, random: &random).search.candidate.places == guilty...guilty)
    }
    let single = StepBisection(count: 1, step: Self.step)
    #expect(single.isDecided && single.candidate.places == 1...1 && single.next == nil)
  }

  @Test func exactMetricsBisect() {
    var search = StepBisection(count: 1000, step: Self.step)
    var launches = 0
    while !search.isDecided, let place = search.next {
      search.observe(isSlow: place >= 617, at: place)
      launches += 1
    }
    #expect(search.candidate.places == 617...617)
    #expect(launches <= 10)
  }

  @Test func oneBatchIsNotCertain() {
    var search = StepBisection(count: 3, step: Self.step)
    search.observe([0.05, 0.04, 0.06, -0.01], at: 1)
    #expect(!search.isDecided)
    #expect(search.candidate.places == 1...1)
    let sum: Double = search.posterior.reduce(0, +)
    #expect(abs(sum - 1) < 1e-12)
    #expect(search.interval.contains(1) && search.interval.count > 1)
  }

  /// One launch in a hundred that takes ten times as long is no evidence of a step of 5 %.
  @Test func outliersDecideNothing() {
    var (search, other) = (StepBisection(count: 3, step: Self.step), StepBisection(count: 3, step: Self.step))
    search.observe([Double](repeating: 0, count: 20), at: 1)
    other.observe([Double](repeating: 0, count: 19) + [2.3], at: 1)
    #expect(abs(search.posterior[0] - other.posterior[0]) < 0.02)
  }

  @Test func allCommitsBrokenLeaveTheWholeLine() {
    var search = StepBisection(count: 3, step: Self.step)
    for place in 1...2 { search.skip(place) }
    #expect(search.isDecided && search.candidate.places == 1...3)
  }
}
