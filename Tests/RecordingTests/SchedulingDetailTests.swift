// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import LaunchTrace
import TestSupport
import Testing

/// `record --detail scheduling` where the kernel does not allow it.
final class SchedulingDetailTests: ObservingSuite {
  private var directory: TemporaryDirectory { launchprof.directory }
  private static let options = ["--detail", "scheduling", "--ready", "exit"]

  @Test func anOrdinaryUserIsToldWhy() throws {
    let trace = directory.appending("t.pftrace")
    chmod(directory.path, 0o777)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let run = try TestProcess.run(
      "/usr/bin/env",
      (geteuid() == 0 ? user : [])
        + [Launchprof.path, "record", "-q", "-o", trace] + Self.options + ["--", "/bin/sleep", "0.02"],
      adding: ["HOME": directory.path, "TMPDIR": directory.path, "XDG_RUNTIME_DIR": "", "LC_ALL": "C.UTF-8"],
      directory: directory.path)
    #expect(run.outcome == .exited(0))
    #expect(run.errorText.contains("--detail scheduling: cannot read the kernel's tracepoints"), "\(run.errorText)")
    chmod(trace, 0o644)
    let launch = try ObservedLaunch(launchprof, trace)
    #expect(launch.fact("observer") == .string("perf") && launch.fact("wait_states") == .string("looks"))
    // How long the thread waited for a processor tells when it was woken, and not by whom.
    #expect(launch.trace.switches.count > 0 && launch.trace.wakeups.waker.allSatisfy { $0 < 0 })
  }

  @Test func withoutPerfEventsThereIsNothingToAsk() throws {
    let run = try TestProcess.run(
      try BuiltProgram.product("restricted"),
      ["perf", Launchprof.path, "record", "-q", "--follow", "--sample-rate", "99", "-o", "t.pftrace"] + Self.options
        + ["--", "/bin/true"],
      directory: directory.path)
    #expect(run.outcome == .exited(0))
    for option in ["--detail scheduling", "--follow", "--sample-rate"] {
      #expect(run.errorText.contains("\(option): perf events are not available"), "\(run.errorText)")
    }
    let states = try ObservedLaunch(launchprof, directory.appending("t.pftrace")).fact("wait_states")
    #expect(states == nil || states == .string("times"))
    let contradiction = try launchprof.run(["record", "--no-observation"] + Self.options + ["--", "/bin/true"])
    #expect(contradiction.outcome == .exited(64))
  }
}
