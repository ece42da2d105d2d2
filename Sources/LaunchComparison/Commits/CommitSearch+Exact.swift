// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// The search by a count, which is the same in each launch.
extension CommitSearch {
  func exactSearch(
    _ metric: ExactCount, _ good: String, _ line: [String], _ base: BuiltCommit, _ head: BuiltCommit
  ) throws -> Outcome {
    builds.forgetBroken()
    let (before, after) = (try value(metric, of: base), try value(metric, of: head))
    guard after > before else { return .notSlower("\(metric.rawValue): \(before) before, \(after) now") }
    tell("\(metric.rawValue): \(before) before, \(after) now")
    var search = StepBisection(count: line.count, step: StepBisection.Step(size: 1, spread: 1))
    var values: [Int: Int64] = [0: before, line.count: after]
    while !search.isDecided, let place = search.next {
      if clock.elapsed() >= mostTime { return try timeIsOver(search, line) }
      guard let program = try program(at: place, line, &search),
        let value = try launched(program, at: place, &search, { try value(metric, of: program) })
      else { continue }
      values[place] = value
      search.observe(isSlow: value - before > after - value, at: place)
      tellPosterior(search, line, at: place)
    }
    let places = search.candidate.places
    let suspects = try commits(at: places, line)
    let parent = places.lowerBound > 1 ? line[places.lowerBound - 2] : good
    let found = (before: values[places.lowerBound - 1] ?? before, with: values[places.upperBound] ?? after)
    let size = Double(found.with - found.before)
    let rest = Self.rest(
      StepShare(lower: size, upper: size, of: Double(after - before)), of: "\(after - before)", good: good,
      parent: parent, commit: line[places.upperBound - 1], bad: line[line.count - 1])
    return .found(
      suspects, Evidence(probability: search.candidate.probability, parent: parent, values: found, rest: rest))
  }

  private func value(_ metric: ExactCount, of program: BuiltCommit) throws -> Int64 {
    let measurement = try naming([program]) { try measure(try placed(program, .head)) }
    launches += 1
    let known = LaunchComparison(base: [measurement], head: [measurement]).exact
    if let found = known.first(where: { $0.metric == metric }) { return found.head }
    throw CommitError(
      code: .cannotMeasure, subject: metric.rawValue,
      message:
        "the launch of \(program.path) has no such count; can it be observed, and does it not execute another program?")
  }
}
