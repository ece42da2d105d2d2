// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchTrace
import TestSupport
import Testing

/// Launches in namespaces, where /proc or the clock are not those of the kernel's first one. Only root may make them.
@Suite(.enabled(if: geteuid() == 0)) struct NamespaceTests {
  private let launchprof: Launchprof

  init() throws {
    try requirePerf()
    launchprof = try Launchprof()
  }

  private static let program = """
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { usleep(30000); puts("ready"); fflush(stdout); return 0; }
    """

  /// nil where a container does not allow namespaces.
  private func record(_ unshare: [String]) throws -> (run: TestProcess, launch: ObservedLaunch)? {
    let directory = launchprof.directory
    let allowed = try TestProcess.run("/usr/bin/unshare", unshare + ["true"], directory: directory.path)
    guard allowed.succeeded else { return nil }
    let program = try CompiledProgram.c(Self.program, "sleeper", in: directory)
    let path = directory.appending("t.pftrace")
    let run = try TestProcess.run(
      "/usr/bin/unshare", unshare + [Launchprof.path, "record", "-o", path, "--", program], directory: directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    return (run, try ObservedLaunch(launchprof, path))
  }

  private func words(_ run: TestProcess) -> String {
    run.errorText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The number of the launched process is that of another one in /proc.
  @Test func anotherNamespacesProcessesAreNotTheLaunch() throws {
    guard let (run, _) = try record(["--pid", "--fork"]) else { return }
    #expect(words(run).contains("/proc shows the processes of another pid namespace"))
    #expect(words(run).contains("sleeping"))
    #expect(!words(run).contains("blocked in I/O") && !words(run).contains("clock_nanosleep"))
  }

  @Test func theRightProcIsRead() throws {
    guard let (run, launch) = try record(["--pid", "--fork", "--mount-proc"]) else { return }
    #expect(launch.fact("observer_shortcoming") == nil)
    #expect(words(run).contains("clock_nanosleep") && words(run).contains("ready by default: its first output"))
  }

  @Test func withoutProcTheReportSaysWhatIsMissing() throws {
    let unmounted = ["--mount", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"]
    guard let (run, _) = try record(unmounted) else { return }
    #expect(words(run).contains("/proc is not mounted, so the time of main and the causes of waits are not known"))
    #expect(words(run).contains("ready by default: the standard output cannot be watched"))
    #expect(words(run).contains("ready by default: its exit"))
  }

  /// The kernel's records have its own CLOCK_MONOTONIC.
  @Test(arguments: ["100000", "-1"]) func timesInATimeNamespaceAreThoseOfTheLaunch(ahead: String) throws {
    guard let (run, launch) = try record(["--time", "--monotonic", ahead, "--fork"]) else { return }
    #expect(launch.top.map(\.id).prefix(5) == ["exec", "load", "relocate", "static-init", "main"])
    #expect(try #require(launch.phase("main")).sleeping >= 29_000_000)
    #expect(!words(run).contains("replaced during the launch"))
  }
}
