// SPDX-License-Identifier: Apache-2.0

import EndToEndSupport
import Glibc
import TestSupport
import Testing

/// Where the traces of running programs are.
final class SpoolTests: CommandSuite {
  /// A launch that continues, and the directory that its program writes to.
  private func begin(_ name: String) throws -> (launcher: RunningProcess, program: Int32, spool: String) {
    let script = "echo $$ $LAUNCHPROF_TRACE > \(name).new; mv \(name).new \(name); exec sleep 100"
    let launcher = try RunningProcess.start(
      Launchprof.path, ["record", "-q", "-o", "\(name).pftrace", "--", "sh", "-c", script],
      directory: launchprof.directory.path)
    let note = launchprof.directory.appending(name)
    for _ in 0..<9_000 where access(note, F_OK) != 0 { usleep(20_000) }
    let words = String(decoding: try contents(note), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let spool = words[1].split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    return (launcher, try #require(Int32(words[0])), spool)
  }

  @Test func whatAKilledLauncherLeftIsClearedByTheNext() throws {
    let killed = try begin("killed")
    let running = try begin("running")
    #expect(access(killed.spool, F_OK) == 0 && access(running.spool, F_OK) == 0 && killed.spool != running.spool)
    killed.launcher.signal(SIGKILL)
    _ = try killed.launcher.finish(timeout: 30)
    kill(killed.program, SIGKILL)
    _ = try launchprof.record(["true"])
    #expect(access(killed.spool, F_OK) != 0)
    // The other directory still belongs to a running launch.
    #expect(access(running.spool, F_OK) == 0)
    kill(running.program, SIGTERM)
    _ = try running.launcher.finish(timeout: 30)
    #expect(access(running.spool, F_OK) != 0)
  }
}
