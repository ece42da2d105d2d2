// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

extension RuntimeDetailTests {
  /// The kernel's memory for records is limited, and a launcher that gets no processor does not empty it.
  @Suite struct LostRecordTests {
    private let recorder: RuntimeRecorder

    init() throws { recorder = try RuntimeRecorder() }

    /// It looks up a conformance so many times. With a second argument, its parent is stopped meanwhile, and so many ms longer.
    private static let source = """
      import Glibc

      protocol Named {}
      struct Plain: Named {}
      @inline(never) func isNamed(_ value: Any) -> Bool { value is any Named }

      @main struct Program {
        static func main() {
          let (calls, wait) = (Int(CommandLine.arguments[1])!, CommandLine.arguments.dropFirst(2).first)
          let launcher = getppid()
          if wait != nil { kill(launcher, SIGSTOP) }
          var count = 0
          for _ in 0..<calls where isNamed(Plain()) { count += 1 }
          if let wait { usleep(UInt32(wait)! * 1000) }
          if wait != nil { kill(launcher, SIGCONT) }
          print(count)
        }
      }

      """

    private func program(_ options: [String]) throws -> String {
      try Compiler.swift(Self.source, to: "stopper", in: recorder.directory, ["-swift-version", "5", "-O"] + options)
    }

    /// What only probes can do, which need root.
    private static let means = RuntimeRecorder.means.filter { $0 == .uprobes }
    private static let needsProbes: ConditionTrait = .enabled(if: !means.isEmpty, "probes are not allowed here")

    @Test(Self.needsProbes) func theReportSaysHowManyWereLost() throws {
      let program = try program(["-static-stdlib"])
      for means in Self.means {
        let (text, report) = try recorder.recordOnce([program, "200000", "0"], detail: ["conformances"], by: means)
        #expect(text == "200000\n")
        let lookups = report.launch["lookups"] as? [String: Any]
        let seen = try #require((lookups?["conformances"] as? [String: Any])?["calls"] as? Int)
        // A record of a call, and one of its return.
        #expect(seen < 200_000 && report.lostRecords > 200_000 - seen, "\(seen) \(report.lostRecords)")
      }
    }

    /// A probe in a library sees all programs that use the library.
    @Test(Self.needsProbes) func otherProgramsAreKeptOut() throws {
      let program = try program([])
      for means in Self.means {
        let other = try RunningProcess.start(program, ["\(Int.max)"])
        defer { other.signal(SIGKILL) }
        let (text, report) = try recorder.recordOnce([program, "1", "200"], detail: ["conformances"], by: means)
        #expect(text == "1\n" && report.lostRecords == 0)
        let rows = (report.launch["lookups"] as? [String: Any])?["first"] as? [[String: Any]] ?? []
        #expect(rows.contains { $0["type"] as? String == "stopper.Plain" }, "\(rows)")
      }
    }
  }
}
