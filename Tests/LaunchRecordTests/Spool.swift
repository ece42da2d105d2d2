// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchRecord
import LaunchShipping
import TestSupport
import Testing

/// Reads the contents of a spool.
enum Spool {
  /// The files of records, the oldest first.
  static func records(in directory: String) -> [String] {
    names(in: directory).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
  }

  static func provisional(in directory: String) -> [String] { names(in: directory).filter { $0.hasPrefix(".open-") } }

  /// Returns when no process has the spool open.
  static func waitForLock(in directory: String) {
    let file = open(directory + "/.lock", O_RDWR)
    flock(file, LOCK_EX)
    close(file)
  }

  static func read(_ path: String) throws -> Record {
    let run = try TestProcess.run("/bin/cat", [path])
    #expect(run.text.hasSuffix("}\n"))
    return try #require(RecordReader.read(run.text.dropLast()))
  }
}
