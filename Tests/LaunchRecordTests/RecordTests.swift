// SPDX-License-Identifier: Apache-2.0

import LaunchRecord
import Testing

struct RecordTests {
  static let id = LaunchID("0123456789abcdef0123456789abcdef")

  func record() throws -> Record {
    Record(id: try #require(Self.id), time: WallTime(nanoseconds: 1_795_341_600_123_000_000))
  }

  @Test func aLineIsOneFlatObject() throws {
    var record = try record()
    record.add(.program, "app")
    record.addEnd(.completed, at: "ready", total: 12, budget: 10)
    record.add(.phases, ["main": 2, "load": 10])
    record.add(metadata: ["store": "sqlite", "user": "me"], allowed: ["store", "absent"])
    record.weigh(1)
    record.weigh(8)
    #expect(
      record.line == """
        {"record":1,"id":"0123456789abcdef0123456789abcdef","time":"2026-11-22T10:00:00.123Z","program":"app",\
        "outcome":"completed","end":"ready","total":12,"budget":10,"withinBudget":false,"phase.load":10,"phase.main":2,\
        "meta.store":"sqlite","sample":8}
        """)
    #expect(record.isOverBudget)
  }

  @Test func aLaunchThatDidNotCompleteHasNoTotal() throws {
    for outcome in [RecordOutcome.failed, .timeout] {
      var record = try record()
      record.addEnd(outcome, at: "last-event", total: 12, budget: 10)
      #expect(record.number(.total) == nil)
      #expect(record.text(.end) == nil)
      #expect(record.number(.budget) == nil)
      #expect(record.flag(.withinBudget) == nil)
      #expect(record.text(.outcome) == outcome.rawValue)
    }
  }

  @Test func stringsAreEscaped() throws {
    var record = try record()
    record.add(.version, "a\"b\\c\n\u{1b}[31m\u{202e}é\u{1f600}")
    #expect(record.line.hasSuffix(#""version":"a\"b\\c\u000a\u001b[31m\u202eé😀"}"#))
  }

  @Test func textsNamesAndFieldsAreBounded() throws {
    var record = try record()
    record.add(.version, String(repeating: "é", count: 1000))
    let names = (0..<1000).map { (String(repeating: "n", count: 100) + "\($0)", Int64($0)) }
    record.add(.phases, Dictionary(uniqueKeysWithValues: (0..<1000).map { ("phase \($0)", Int64($0)) }))
    record.add(.milestones, Dictionary(uniqueKeysWithValues: names))
    #expect(record.text(.version)?.utf8.count == 256)
    #expect(record.fields.count { $0.key.hasPrefix(RecordKey.phases.rawValue) } == 48)
    #expect(record.number("phase.phase 999") == 999, "the largest are kept")
    for number in 952...999 as ClosedRange<Int64> { #expect(record.number("phase.phase \(number)") == number) }
    let milestones = record.fields.map(\.key).filter { $0.hasPrefix(RecordKey.milestones.rawValue) }
    #expect(milestones == [RecordKey.milestones.rawValue + String(repeating: "n", count: 64)], "one that is cut alike")
    #expect(Set(record.fields.map(\.key)).count == record.fields.count)
    #expect(record.line.utf8.count < 16 << 10)
  }

  @Test func timesAreWrittenAndRead() {
    for (nanoseconds, text) in [
      (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_001_000_000, "2100-03-01T00:00:00.001Z"),
    ] {
      #expect(WallTime(nanoseconds: nanoseconds).text == text)
      #expect(WallTime(text)?.nanoseconds == nanoseconds)
    }
    #expect(WallTime(nanoseconds: .min).text == "1677-09-21T00:12:43.145Z", "as in a summary that somebody made up")
    for text in [
      "", "2026-11-22", "2026-13-22T10:00:00.123Z", "2026-11-22T10:00:00.123+", "２026-11-22T10:00:00.1Z",
      "2026-02-31T10:00:00.123Z", "2026-02-29T10:00:00.123Z", "2026-11-00T10:00:00.123Z",
    ] {
      #expect(WallTime(text) == nil)
    }
  }

  @Test func machinesOfOneClassHaveNearlyTheSameMemory() {
    func name(_ gibibytes: Double, _ cores: Int64? = 4) -> String? {
      RecordMachine(
        kernel: "Linux 6.1.0", arch: "x86_64", cpu: "", cores: cores, memory: Int64(gibibytes * 1_073_741_824)
      ).className
    }
    #expect(name(7.6) == "x86_64-4c-8g")
    #expect(name(8) == "x86_64-4c-8g")
    #expect(name(11.9) == "x86_64-4c-8g")
    #expect(name(12) == "x86_64-4c-16g")
    #expect(name(0.4) == "x86_64-4c-1g")
    #expect(name(0) == nil)
    #expect(name(8, nil) == nil)
  }

  @Test func idsAreDifferentAndReadable() {
    #expect(LaunchID.random() != LaunchID.random())
    #expect(LaunchID(of: "a") == LaunchID(of: "a"))
    #expect(LaunchID(of: "a 1").text != LaunchID(of: "a 2").text)
    #expect(LaunchID(LaunchID(of: "a").text) == LaunchID(of: "a"))
    for text in ["", "0123", String(repeating: "G", count: 32), String(repeating: "A", count: 32)] {
      #expect(LaunchID(text) == nil)
    }
  }

  @Test func oneLaunchInFourIsChosen() {
    let ids = (0..<4000).map { LaunchID(of: "launch \($0)") }
    #expect(ids.allSatisfy { $0.isChosen(oneIn: 1) && $0.isChosen(oneIn: 0) })
    // Six standard deviations around a thousand.
    #expect((836...1164).contains(ids.count { $0.isChosen(oneIn: 4) }))
  }
}
