// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchLifecycle

extension ProgramDelegate {
  /// Writes to `LIFECYCLE_SETUP/log` when it begins and when it is done. In between it takes `LIFECYCLE_SETUP_MS`, and runs
  /// the set-up `LIFECYCLE_SETUP_INNER`.
  func setUp() {
    guard let directory = environment("LIFECYCLE_SETUP") else { return }
    let log = open(directory + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(log) }
    func note(_ line: String) { _ = write(log, line, line.utf8.count) }
    do {
      let hasRun = try OneTimeSetup("work", directory: directory + "/marks").run {
        note("begin \(getpid())\n")
        if let inner = environment("LIFECYCLE_SETUP_INNER") {
          try OneTimeSetup(inner, version: "2", directory: directory + "/marks").run {}
        }
        usleep((environment("LIFECYCLE_SETUP_MS").flatMap { UInt32($0) } ?? 0) * 1_000)
        note("end \(getpid())\n")
      }
      say("setup: \(hasRun)")
    } catch {
      say("setup: \(error)")
    }
  }
}
