// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

/// Launch records of a fleet whose truth is known: classes of machines, two versions, and what goes wrong in the field.
package struct SyntheticFleet {
  package var launches = 4000
  package var seed: UInt64 = 1
  /// How far the second version's mix of machines and kinds lies from the first one's: 0 is the same, 1 is another fleet.
  package var mixShift = 0.0
  /// What the phase `open-database` takes in version 2.1 on `slowClass`: 1.06 is +6 %.
  package var factor = 1.0
  /// Records that are broken, doubled, hostile, or have a wrong clock.
  package var hasFaults = false
  /// Days over which the launches are spread, from 2026-11-01 on.
  package var days = 1
  /// From this day on, everything takes `dayFactor`.
  package var changeDay = Int.max
  package var dayFactor = 1.0

  package static let slowClass = "aarch64-4c-4g"
  package static let slowPhase = "phase/open-database"

  /// What was put in.
  package struct Faults: Equatable {
    package var duplicates = 0
    package var impossible = 0
    package var wrongClock = 0
    package var garbage = 0
  }

  package init() {}

  private static let machines: [(name: String, factor: Double, share: Double, shifted: Double)] = [
    ("x86_64-8c-16g", 1, 0.4, 0.1), ("x86_64-4c-8g", 1.4, 0.3, 0.2), (slowClass, 2.4, 0.2, 0.4),
    ("aarch64-2c-2g", 4, 0.1, 0.3),
  ]
  /// Of the fastest class, ms.
  private static let phases: [(name: String, time: Double)] = [
    ("load", 20), ("static-init", 8), ("open-database", 60), ("did-finish-launching", 90), ("first-frame", 40),
  ]
  package static let hostile = #"\u001b[31m</script><script>alert(1)</script>\n=cmd|' /C calc'!A0\u202e,\"; DROP TABLE"#

  /// Hands out line after line, without their ends.
  package func write(_ line: (String) -> Void) -> Faults {
    var random = SeededRandom(seed: seed)
    var faults = Faults()
    for number in 0..<launches {
      let text = record(&random, faults: &faults)
      line(text)
      guard hasFaults else { continue }
      switch number % 50 {
      case 7:
        line(text)
        // A record that does not count is no duplicate.
        if !text.contains("\"total\":-") { faults.duplicates += 1 }
      case 19:
        line(String(text.prefix(1 + random.next(below: text.utf8.count - 1))))
        faults.garbage += 1
      default: break
      }
    }
    return faults
  }

  package func lines() -> (lines: [String], faults: Faults) {
    var lines: [String] = []
    let faults = write { lines.append($0) }
    return (lines, faults)
  }

  private func record(_ random: inout SeededRandom, faults: inout Faults) -> String {
    let isHead = random.nextBool()
    let shift = isHead ? mixShift : 0
    let machine = Self.draw(Self.machines.map { $0.share * (1 - shift) + $0.shifted * shift }, &random)
    let isCold = Self.unit(&random) < 0.3 + 0.3 * shift
    let day = random.next(below: days)
    let isFailed = Self.unit(&random) < 0.01
    var text =
      "{\"record\":1,\"id\":\"\(Self.id(&random))\",\"time\":\"\(time(day, &random, &faults))\",\"program\":\"notes\""
    text +=
      ",\"version\":\"\(isHead ? "2.1" : "2.0")\",\"build\":\"\(isHead ? "9f" : "7e")\",\"os\":\"linux\",\"osVersion\":\"12\""
    let (name, arch) = (Self.machines[machine].name, Self.machines[machine].name.prefix { $0 != "-" })
    text += ",\"arch\":\"\(arch)\",\"cores\":\(machine % 2 == 0 ? 8 : 4),\"machine\":\"\(name)\""
    text +=
      ",\"kind\":\"\(isCold ? "cold" : "warm")\",\"reason\":\"\(random.nextBool() ? "url" : "terminal")\",\"context\":\"foreground\""
    if hasFaults, random.next(below: 40) == 0 { text += ",\"meta.channel\":\"\(Self.hostile)\"" }
    text += ",\"outcome\":\"\(isFailed ? "failed" : "completed")\""
    // One launch in twenty has a bad minute.
    let common =
      Self.machines[machine].factor * (isCold ? 1.8 : 1) * Self.noise(0.2, &random)
      * (random.next(below: 20) == 0 ? 2.5 : 1) * (day >= changeDay ? dayFactor : 1)
    var total = 0
    for phase in Self.phases {
      let isSlow = isHead && name == Self.slowClass && phase.name == "open-database"
      let time = Int(phase.time * 1e6 * common * Self.noise(0.1, &random) * (isSlow ? factor : 1))
      text += ",\"phase.\(phase.name)\":\(time)"
      total += time
    }
    if hasFaults, random.next(below: 100) == 0 {
      // The clock was set back while the program was launched.
      total = -total
      faults.impossible += 1
      return text + ",\"total\":\(total)}"
    }
    if !isFailed {
      text += ",\"end\":\"ready\",\"total\":\(total),\"budget\":400000000,\"withinBudget\":\(total <= 400_000_000)"
    }
    return text
      + ",\"state.running\":\(max(0, total) / 2),\"count.libraries\":31,\"recorder\":90000,\"profiler\":\"0.1.0\"}"
  }

  private func time(_ day: Int, _ random: inout SeededRandom, _ faults: inout Faults) -> String {
    if hasFaults, random.next(below: 60) == 0 {
      faults.wrongClock += 1
      return random.nextBool() ? "1970-01-01T00:00:12.000Z" : "2107-02-06T00:00:00.000Z"
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hour, minute) = (random.next(below: 24), random.next(below: 60))
    return "2026-11-\(two(1 + day))T\(two(hour)):\(two(minute)):00.000Z"
  }

  private static func id(_ random: inout SeededRandom) -> String {
    (0..<2).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func unit(_ random: inout SeededRandom) -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  private static func draw(_ shares: [Double], _ random: inout SeededRandom) -> Int {
    var rest = unit(&random) * shares.reduce(0, +)
    for (place, share) in shares.enumerated() {
      rest -= share
      if rest < 0 { return place }
    }
    return shares.count - 1
  }

  /// Lognormal: the sum of twelve even numbers is nearly normal.
  private static func noise(_ spread: Double, _ random: inout SeededRandom) -> Double {
    let normal = (0..<12).reduce(-6.0) { sum, _ in sum + unit(&random) }
    return Logarithm.inverse(spread * normal)
  }
}
