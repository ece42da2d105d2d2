import Foundation
import TestSupport
import Testing

/// Programs that are held up in known ways: the finding, its place and its size. And those that are not.
struct TruthTests {
  private static let program = PackageRoot.appending(".build/foreign/held-up")
  private let launchprof: Launchprof

  init() throws {
    launchprof = try Launchprof()
    guard access(Self.program, X_OK) == 0 else {
      throw ToolFailure("\(Self.program) is missing: run scripts/build-foreign-programs (scripts/test does)")
    }
  }

  /// A finding as the JSON report has it.
  private struct Found: Decodable {
    struct Piece: Decodable {
      var kind: String
      var text: String
      var time: Int64?
    }
    var id: String
    var expected: Int64
    var actual: Int64
    var subject: String
    var path: [String]
    var phase: String?
    var error: Int64?
    var file: String?
    var line: Int?
    var evidence: [Piece]?
  }

  private struct Report: Decodable {
    struct Launch: Decodable {
      var total: Int64
      var findings: [Found]
    }
    var launches: [Launch]
  }

  private func report(_ trace: String) throws -> [Report.Launch] {
    let run = try launchprof.run(["report", trace, "--findings", "--format", "json"])
    return try JSONDecoder().decode(Report.self, from: Data(run.output)).launches
  }

  private func record(_ command: [String], options: [String] = []) throws -> Report.Launch {
    let (run, trace) = try launchprof.record(command, options: options)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    guard let launch = try report(trace).first else { throw ToolFailure("no launch in \(trace)") }
    return launch
  }

  private let millisecond: Int64 = 1_000_000

  @Test func workOverBudgetIsNamedThreeCallsDeep() throws {
    let launch = try record([Self.program, "busy"])
    let finding = try #require(launch.findings.first { $0.id == "main-thread-over-budget" })
    #expect(finding.subject == "busy_function")
    #expect(Array(finding.path.suffix(3)) == ["main", "outer", "middle"])
    #expect(finding.phase == "main")
    #expect(finding.file?.hasSuffix("/held-up.c") == true)
    // The lines of the function.
    #expect((31...37).contains(finding.line ?? 0), "\(finding.line ?? 0)")
    #expect(finding.error == millisecond)
    // 40 ms of processor time; what the machine took for itself in between is not ours to say.
    #expect((36 * millisecond...80 * millisecond).contains(finding.actual), "\(finding.actual)")
    let ran = finding.evidence?.first { $0.kind == "state" && $0.text == "running" }?.time ?? 0
    #expect((36 * millisecond...60 * millisecond).contains(ran), "\(ran)")
  }

  @Test func whoseTimeItWas() throws {
    let (run, trace) = try launchprof.record([Self.program, "busy"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    func table(_ aspect: String) throws -> String {
      let report = try launchprof.run(["report", trace, "--by", aspect, "--format", "csv"])
      #expect(report.outcome == .exited(0))
      return report.text
    }
    let symbol = try table("symbol").split(separator: "\r\n").first { $0.hasPrefix("symbol,busy_function,ns,") }
    let numbers = (symbol ?? "").split(separator: ",").compactMap { Int64($0) }
    #expect(numbers.count >= 2 && numbers[0] >= 30 * millisecond, "\(symbol ?? "no such row")")
    #expect(try table("library").contains("\r\nlibrary,held-up,ns,"))
    #expect(try table("phase").contains("\r\nphase,main,ns,"))
    #expect(try table("thread").contains("\r\nthread,main thread,ns,"))
    #expect(try table("state").contains("\r\nstate,running,ns,"))
    let merged = try launchprof.run(["report", trace, "--merge", "--width", "120"])
    #expect(merged.text.contains("~busy_function"))
    #expect(try launchprof.run(["report", trace, "--by", "weather"]).outcome == .exited(64))
  }

  @Test func aSleep() throws {
    let launch = try record([Self.program, "sleep"])
    let finding = try #require(launch.findings.first { $0.id == "main-thread-waiting" })
    #expect(finding.subject.hasSuffix("nanosleep"))
    #expect(finding.expected == 16 * millisecond)
    #expect((49 * millisecond...launch.total).contains(finding.actual))
    #expect(finding.phase == "main")
  }

  @Test func aLockAndWhoHeldIt() throws {
    let launch = try record([Self.program, "lock"])
    let finding = try #require(launch.findings.first { $0.id == "main-thread-waiting" })
    #expect(finding.subject.hasPrefix("lock-holder ("))
    #expect((45 * millisecond...launch.total).contains(finding.actual))
    #expect(finding.evidence?.contains { $0.kind == "thread" && $0.text.contains("held the lock") } == true)
    #expect(finding.evidence?.contains { $0.kind == "system-call" && $0.text == "futex" } == true)
  }

  @Test func aColdFile() throws {
    let path = launchprof.directory.appending("cold.dat")
    let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    var block = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<30 {
      for place in block.indices { block[place] = UInt8.random(in: .min ... .max) }
      #expect(write(file, block, block.count) == block.count)
    }
    // What is not on the disk can't be read from it.
    #expect(fsync(file) == 0)
    close(file)
    try launchprof.directory.write(Array("milestones:\n  first-frame: 50ms\n".utf8), to: "budgets.yml")
    let launch = try record(
      [Self.program, "read", path], options: ["--budgets", launchprof.directory.appending("budgets.yml")])
    let finding = try #require(launch.findings.first { $0.id == "main-thread-blocked-io" })
    #expect(finding.subject == path)
    // 9 % of 50 ms.
    #expect(finding.expected == 4_500_000)
    #expect((finding.expected...launch.total).contains(finding.actual))
    #expect(finding.evidence?.contains { $0.kind == "file" && $0.text == path } == true)
  }

  @Test func aProcessorSharedWithOwnChildren() throws {
    let launch = try record([Self.program, "share"], options: ["--follow"])
    let runnable = try #require(launch.findings.first { $0.id == "main-thread-runnable" })
    // Three of them share one processor until 40 ms are done.
    #expect((30 * millisecond...launch.total).contains(runnable.actual), "\(runnable.actual)")
    let contention = try #require(launch.findings.first { $0.id == "cpu-contention" })
    #expect(contention.subject.hasPrefix("spinner ("), "\(contention.subject)")
    #expect(contention.actual == runnable.actual)
    #expect(contention.evidence?.count { $0.text.hasPrefix("spinner (") } == 2)
  }

  @Test func theMainActorOnAnotherThread() throws {
    let source = """
      @MainActor var sink: UInt64 = 0
      @MainActor final class Model {
        @inline(never) func loadEverything() async { for step in 0..<150_000_000 { sink = sink &* 31 &+ UInt64(step) } }
      }
      @main struct Program {
        static func main() async {
          try? await Task.sleep(nanoseconds: 5_000_000)
          await Model().loadEverything()
        }
      }

      """
    let program = try Compiler.swift(source, to: "actor", in: launchprof.directory)
    let finding = try #require(record([program]).findings.first { $0.id == "main-thread-over-budget" })
    #expect(finding.subject.contains("Model.loadEverything()"), "\(finding.subject)")
    #expect(finding.file?.hasSuffix("/actor.swift") == true)
    #expect(finding.line == 3)
    #expect(finding.actual > 16 * millisecond)
  }

  @Test func setUpThatRepeats() throws {
    let series = launchprof.directory.appending("series/")
    let run = try launchprof.run(["record", "-q", "-n", "3", "-o", series, "--", Launchprof.instrumented, "setup"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let repeated = try report(series).map { launch in launch.findings.filter { $0.id == "one-time-setup-repeated" } }
    #expect(repeated.map(\.count) == [0, 1, 1])
    #expect(repeated.last?.first.map { $0.actual >= millisecond } == true)
  }

  @Test func theSameWorkElsewhereRaisesNothing() throws {
    // On a loaded machine 40 ms of work take long: the sum of all waits must not count then.
    try launchprof.directory.write(Array("milestones:\n  first-frame: 30s\n".utf8), to: "budgets.yml")
    let launch = try record(
      [Self.program, "elsewhere"], options: ["--budgets", launchprof.directory.appending("budgets.yml")])
    #expect(launch.total > 36 * millisecond)
    #expect(launch.findings.filter { !Self.machine.contains($0.id) }.map(\.id) == [])
  }

  /// What a loaded machine does to any program, and says so.
  private static let machine: Set<String> = ["main-thread-runnable", "cpu-contention", "unattributed-time"]

  /// 50 launches each. Of those in which the machine was quiet (the trace says how long the main thread had no processor), none
  /// has a finding.
  @Test(arguments: [["/bin/true"], ["/usr/bin/python3", "-c", "pass"], ["/usr/bin/git", "--version"]])
  func quietLaunchesHaveNoFindings(command: [String]) throws {
    let series = launchprof.directory.appending("series/")
    let run = try launchprof.run(["record", "-q", "-n", "50", "-o", series, "--"] + command)
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    let launches = try report(series)
    #expect(launches.count == 50)
    let quiet = launches.filter { launch in !launch.findings.contains { Self.machine.contains($0.id) } }
    let found = quiet.flatMap(\.findings).map { "\($0.id) \($0.subject) \($0.actual)" }
    #expect(found.isEmpty, "\(command): \(found)")
  }
}
