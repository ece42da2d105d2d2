// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Swift programs without a recorder, in every way of linking.
final class ObservedSwiftTests: ObservingSuite {
  private static let source = """
    import Glibc
    @main struct Program {
      static func main() {
        usleep(3000)
        print("hello")
      }
    }

    """

  @Test(arguments: [[], ["-static-stdlib"], ["-static-executable"]], [false, true])
  func itsWayToMain(flags: [String], isStripped: Bool) throws {
    let program = try Compiler.swift(Self.source, to: "hello", in: launchprof.directory, ["-O"] + flags)
    if isStripped { try Compiler.run("strip", [program], in: launchprof.directory) }
    let (run, path) = try launchprof.record([program], options: ["--ready", "exit"])
    #expect(run.outcome == .exited(0), "\(run.errorText)")
    #expect(run.text == "hello\n")
    let launch = try ObservedLaunch(launchprof, path)
    #expect(launch.fact("observer") == .string("perf"))
    let isStatic = flags == ["-static-executable"]
    #expect(
      launch.top.map(\.id)
        == (isStatic
          ? ["exec", "static-init", "main", "exit"] : ["exec", "load", "relocate", "static-init", "main", "exit"]))
    #expect(launch.phase("main")?.source == "breakpoint")
    #expect(try #require(launch.phase("main")).duration >= 3_000_000)
    let libraries = launch.phases.map(\.path)
    #expect(libraries.contains("load;libswiftCore.so") == flags.isEmpty)
    #expect(libraries.contains("load;libc.so.6") == !isStatic)
    let total = try #require(launch.top.first?.total)
    #expect(abs(launch.top.reduce(0) { $0 + $1.duration } - total) <= total / 100)
  }
}
