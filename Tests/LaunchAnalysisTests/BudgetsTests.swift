import LaunchAnalysis
import TestSupport
import Testing

struct BudgetsTests {
  @Test func readsTheFlatForm() throws {
    let budgets = try Budgets(
      flat: "# ours\nformat\t1\ninterval\t*\t8000000\r\ninterval\topen\tdatabase\t5\nphase\t*\t9\nphase\tmain\t7\n"
        + "milestone\tready\t1000\nlater\tkind\t1\n\n")
    #expect(budgets.defaultInterval == 8_000_000)
    #expect(budgets.intervals == ["open\tdatabase": 5])
    #expect(budgets.defaultPhase == 9)
    #expect(budgets.phases == ["main": 7])
    #expect(budgets.milestones == ["first-frame": 400_000_000, "ready": 1000])
  }

  @Test func whatIsNotNamedKeepsItsDefault() throws {
    #expect(try Budgets(flat: "") == .standard)
    #expect(Budgets.standard.defaultInterval == 16_000_000)
    #expect(Budgets.standard.milestones == ["first-frame": 400_000_000])
  }

  @Test(arguments: [
    "interval\t*", "interval\t\t5", "phase\tmain\tfast", "milestone\tready\t-1", "interval\t*\t99999999999999999999",
    "interval\t*\t5 ",
  ])
  func refusesBrokenLines(line: String) {
    #expect(throws: BudgetsError.self) { try Budgets(flat: "format\t1\n" + line) }
    let error = #expect(throws: BudgetsError.self) { try Budgets(flat: "format\t1\n" + line) }
    #expect(error?.line == 2)
  }

  @Test func refusesANewerFormat() {
    let error = #expect(throws: BudgetsError.self) { try Budgets(flat: "format\t2\n") }
    #expect(error?.code == .unsupportedVersion)
  }

  @Test func refusesNamesThatWouldBreakALine() {
    var budgets = Budgets.standard
    budgets.phases["a\nb"] = 1
    #expect(throws: BudgetsError.self) { try budgets.flatForm() }
  }

  @Test func anyBudgetsComeBack() throws {
    var random = SeededGenerator()
    let pieces = ["a", "\t", " ", "é", "#", "*", "日", "\\", "interval"]
    func name() -> String {
      // A first character of its own: `*` alone means any.
      "n" + (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func entries() -> [String: Int64] {
      Dictionary(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in (name(), Int64.random(in: 0...(.max), using: &random)) },
        uniquingKeysWith: { first, _ in first })
    }
    for _ in 0..<300 {
      var budgets = Budgets(
        defaultInterval: .random(in: 0...(.max), using: &random), intervals: entries(),
        defaultPhase: Bool.random(using: &random) ? .random(in: 0...(.max), using: &random) : nil, phases: entries(),
        milestones: entries())
      budgets.milestones["first-frame"] = 1
      #expect(try Budgets(flat: budgets.flatForm()) == budgets)
    }
  }
}
