// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Random choices and times for a launch of a given length. Many of the times coincide: that is where code goes wrong.
struct RandomChoices {
  private var random: SeededRandom
  /// Nanoseconds from the launch's start to the program's end.
  let length: Int64
  /// Times that were chosen before.
  private var known: [Int64]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let scales: [Int64] = [1_000, 1_000_000, 20_000_000, 100_000_000, 500_000_000, 3_000_000_000]
    let scale = scales[random.next(below: scales.count)]
    length = scale + Int64(random.next(below: Int(scale)))
    known = [0, length]
  }

  mutating func chance(_ percent: Int) -> Bool { random.next(below: 100) < percent }

  mutating func count(_ range: ClosedRange<Int>) -> Int { range.lowerBound + random.next(below: range.count) }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[random.next(below: choices.count)] }

  /// A time in a range, often one that something else has, or one beside it.
  mutating func time(in range: ClosedRange<Int64>) -> Int64 {
    var time = range.lowerBound + Int64(random.next(below: Int(range.upperBound - range.lowerBound) + 1))
    if chance(40) {
      let near = pick(known) + pick([0, 0, 0, 1, -1] as [Int64])
      if range.contains(near) { time = near }
    }
    known.append(time)
    return time
  }

  /// A time from the launch's start to the program's end.
  mutating func time() -> Int64 { time(in: 0...length) }

  /// A time that may be before the launch, or after the program's end.
  mutating func anyTime() -> Int64 { chance(85) ? time() : time(in: -length / 4...length + length / 4) }

  /// A range, sometimes empty.
  mutating func part(of range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let (one, other) = (time(in: range), time(in: range))
    return chance(5) ? one...one : min(one, other)...max(one, other)
  }

  /// Times in order.
  mutating func times(_ count: Int, in range: ClosedRange<Int64>) -> [Int64] {
    (0..<count).map { _ in time(in: range) }.sorted()
  }
}
