// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

struct TemporaryDirectoryTests {
  /// A file without content says nothing to the check of all traces.
  @Test func itsTracesAreKeptIfAskedExceptLinksAndEmptyOnes() throws {
    for keepsTraces in [true, false] {
      let owner = try write(keepsTraces: keepsTraces)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.keptTraces)) ?? []
      #expect(names.filter { $0.hasPrefix(owner) } == (keepsTraces ? [owner + "-sound.pftrace"] : []))
    }
  }

  /// The name of a directory with traces, which is gone then.
  private func write(keepsTraces: Bool) throws -> String {
    let path = try {
      let directory = try TemporaryDirectory(keepsTraces: keepsTraces)
      try directory.write(ToolTests.clock, to: "sound.pftrace")
      try directory.write("", to: "empty.pftrace")
      try directory.write("text", to: "other.txt")
      #expect(symlink("sound.pftrace", directory.appending("link.pftrace")) == 0)
      return directory.path
    }()
    #expect(!FileManager.default.fileExists(atPath: path))
    return path.split(separator: "/").last.map(String.init) ?? ""
  }
}
