// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import TestSupport
import Testing

/// Launches in namespaces, where /proc or the clock are not those of the kernel's first one.
final class NamespaceTests: ObservingSuite {
  private static let program = """
    #include <stdio.h>
    #include <unistd.h>
    int main(void) { usleep(30000); puts("ready"); fflush(stdout); return 0; }
    """

  private func record(_ unshare: [String]) throws -> (run: TestProcess, launch: ObservedLaunch) {
    let directory = launchprof.directory
    let program = try CompiledProgram.c(Self.program, "sleeper", in: directory)
    let path = directory.appending("t.pftrace")
    let run = try TestProcess.run(
      "/usr/bin/unshare", unshare + [Launchprof.path, "record", "-o", path, "--", program], directory: directory.path)
    #expect(run.succeeded, "\(run.errorText)")
    return (run, try ObservedLaunch(launchprof, path))
  }

  private func words(_ run: TestProcess) -> String {
    run.errorText.inOneLine
  }

  /// The number of the launched process is that of another one in /proc.
  @Test(Namespaces.needed(["--pid", "--fork"])) func anotherNamespacesProcessesAreNotTheLaunch() throws {
    let (run, launch) = try record(["--pid", "--fork"])
    #expect(words(run).contains("/proc shows the processes of another pid namespace"))
    #expect(words(run).contains("sleeping or waiting"))
    #expect(!words(run).contains("blocked in I/O"))
    // A stack still says what the program waited in, but nothing comes from looks at /proc.
    #expect(launch.instants("launchprof.wait", "clock_nanosleep").isEmpty)
  }

  @Test(Namespaces.needed(["--pid", "--fork", "--mount-proc"])) func theRightProcIsRead() throws {
    // The launcher looks at the sleep once in its 30 ms, if it gets a processor by then.
    let unseen = try LaunchSeries.unseen {
      let (run, launch) = try record(["--pid", "--fork", "--mount-proc"])
      #expect(launch.fact("observer_shortcoming") == nil)
      let words = words(run)
      #expect(words.contains(/ready by default(, seen up to [0-9.]+ [mµ]?s late)?: its first output/), "\(words)")
      return words.contains("clock_nanosleep") ? [] : [words]
    }
    #expect(unseen.isEmpty, "\(unseen)")
  }

  @Test(Namespaces.needed(["--mount"], "umount -l /proc")) func withoutProcTheReportSaysWhatIsMissing() throws {
    let unmounted = ["--mount", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"]
    let (run, _) = try record(unmounted)
    #expect(words(run).contains("/proc is not mounted, so the time of main and the causes of waits are not known"))
    #expect(words(run).contains("ready by default: the standard output cannot be watched"))
    #expect(words(run).contains("ready by default: its exit"))
  }

  /// It cannot be seen whose the socket is.
  @Test(Namespaces.needed(["--pid", "--fork"])) func aNamedSocketCountsWithoutTheRightProc() throws {
    let (program, port) = (try BuiltProgram.foreign("milestones"), try FreePort.find())
    let run = try TestProcess.run(
      "/usr/bin/unshare",
      ["--pid", "--fork", Launchprof.path, "record", "-o", "t.pftrace", "--ready", "listen:\(port)", "--settle", "0"]
        + ["--", program, "port", "\(port)"], directory: launchprof.directory.path)
    #expect(run.succeeded && words(run).contains("ready: it listens"), "\(run.errorText)")
  }

  /// Breakpoints are set through /proc.
  @Test(Namespaces.needed(["--pid", "--fork"])) func anOrderNeedsTheRightProc() throws {
    let program = try CompiledProgram.c(Self.program, "sleeper", in: launchprof.directory)
    let run = try TestProcess.run(
      "/usr/bin/unshare", ["--pid", "--fork", Launchprof.path, "order", "--", program],
      directory: launchprof.directory.path)
    #expect(run.outcome == .exited(1))
    #expect(
      run.errorText.contains("breakpoints: /proc shows the processes of another pid namespace"), "\(run.errorText)")
  }

  /// The kernel's records have its own CLOCK_MONOTONIC.
  @Test(Namespaces.needed(["--time", "--monotonic", "1", "--fork"]), arguments: ["100000", "-1"])
  func timesInATimeNamespaceAreThoseOfTheLaunch(ahead: String) throws {
    let (run, launch) = try record(["--time", "--monotonic", ahead, "--fork"])
    #expect(launch.top.map(\.id).prefix(5) == ["exec", "load", "relocate", "static-init", "main"])
    #expect(try #require(launch.phase("main")).sleeping >= 29_000_000)
    #expect(!words(run).contains("replaced during the launch"))
  }
}
