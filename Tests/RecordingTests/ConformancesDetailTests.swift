// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

extension RuntimeDetailTests {
  /// `record --detail conformances` and `calls`: what Swift's runtime looks up, in any program.
  @Suite struct ConformancesDetailTests {
    private let recorder: RuntimeRecorder

    init() throws { recorder = try RuntimeRecorder() }

    private func lookups(_ report: JSONReport) throws -> (first: [[String: Any]], all: [String: Any]) {
      let all = try #require(report.launch["lookups"] as? [String: Any])
      return (try #require(all["first"] as? [[String: Any]]), all)
    }

    private static func isConformance(_ row: [String: Any], _ type: String, _ proto: String) -> Bool {
      row["type"] as? String == type && row["protocol"] as? String == proto
    }

    /// The launcher waits until a child that could not be executed has ended, so it must not be told of that end by a stop.
    @Test func aProgramThatCannotBeExecutedIsReported() throws {
      let missing = try recorder.launchprof.run(["record", "--detail", "conformances", "--", "./missing"], timeout: 30)
      #expect(missing.outcome == .exited(127))
      #expect(missing.errorText.contains("no such program"), "\(missing.errorText)")
    }

    private static let source = """
      protocol Named {}
      struct Plain: Named {}
      struct Box<T> { var value: T }
      extension Box: Named where T: Named {}
      struct Other {}
      @inline(never) func isNamed(_ value: Any) -> Bool { value is any Named }
      @main struct Program {
        static func main() {
          let all: [Any] = [Plain(), Box(value: Plain()), Other()]
          var count = 0
          for _ in 0..<3 { for value in all where isNamed(value) { count += 1 } }
          print(count, String(describing: Other()))
        }
      }

      """

    /// Probes are in files: in a program that has the runtime in itself, nobody else comes by them.
    @Test func firstPairsAreNamedAndRepeatsAreCounted() throws {
      let program = try Compiler.swift(
        Self.source, to: "casts", in: recorder.directory, ["-swift-version", "5", "-O", "-static-stdlib"])
      for means in RuntimeRecorder.means {
        let (text, report) = try recorder.record([program], detail: ["conformances"], by: means)
        #expect(text == "6 Other()\n")
        let (first, all) = try lookups(report)
        for (type, repeats) in [("casts.Plain", 2), ("casts.Box<casts.Plain>", 2), ("casts.Other", 2)] {
          let row = try #require(first.first { Self.isConformance($0, type, "casts.Named") }, "\(first)")
          #expect(row["repeats"] as? Int ?? 0 >= repeats && row["cause"] as? String == "cast", "\(row)")
          #expect((row["asker"] as? String)?.contains("isNamed") == true && row["mainThread"] as? Bool == true)
        }
        let described = first.first { Self.isConformance($0, "casts.Other", "CustomStringConvertible") }
        #expect(described?["cause"] as? String == "describing", "\(first)")
        // Names come from the process's memory: none is missing of what is looked up by the program.
        #expect(!first.contains { ($0["protocol"] as? String)?.hasPrefix("0x") == true })
        let conformances = try #require(all["conformances"] as? [String: Any])
        #expect(conformances["calls"] as? Int ?? 0 >= first.count { $0["kind"] as? String == "conformance" } + 6)
        #expect(report.launch["lazyGlobals"] == nil && report.launch["runtimeCalls"] == nil)
      }
    }

    /// As many as the code made, by a simulated processor; breakpoint instructions only say that they cannot count.
    @Test func countsAreThoseOfCallgrind() throws {
      let program = try Compiler.swift(
        Self.source, to: "casts", in: recorder.directory, ["-swift-version", "5", "-O", "-static-stdlib"])
      let functions = ["swift_dynamicCast", "swift_conformsToProtocolMaybeInstantiateSuperclasses"]
      let calls = try recorder.calls(of: functions, in: [program])
      for means in RuntimeRecorder.means {
        let (_, report) = try recorder.record([program], detail: ["conformances", "calls"], by: means)
        let counted = report.launch["runtimeCalls"] as? [String: Any]
        #expect(counted?["casts"] as? Int == (means == .uprobes ? calls[0] : nil) && calls[0] > 9)
        let all = try lookups(report).all["conformances"] as? [String: Any]
        #expect(all?["calls"] as? Int == calls[1] && calls[1] > 9, "\(means)")
      }
    }
  }
}
