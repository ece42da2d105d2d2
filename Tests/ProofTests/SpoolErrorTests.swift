// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct SpoolErrorTests {
  private static let source = """
    #include <CLaunchRecorder.h>
    #include <lr_spool.h>
    #include <signal.h>
    #include <string.h>
    #include <sys/resource.h>
    #include <unistd.h>
    int main(int count, char **texts) {
      lr_spool spool = {"spool", 100, 1 << 20};
      lr_spool_record record = {1700000000000, "0123456789abcdef0123456789abcdef", "{}", 2};
      record.is_incomplete = count == 3;
      if (count < 2 || lr_spool_add_provisional(&spool, &record) != 0) return 1;
      struct rlimit small = {1, 1};
      if (strcmp(texts[1], "too large") == 0) spool.most_bytes = 1;
      // As a full disk, which lets names go.
      if (strcmp(texts[1], "no room") == 0) {
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &small) != 0) return 2;
      }
      // As chroot(2) does, the program leaves the directory in which the spool has its name.
      if (strcmp(texts[1], "elsewhere") == 0 && chdir("/proc") != 0) return 3;
      if (lr_spool_add(&spool, &record) == 0) return 4;
      // What the program says later makes no other one.
      lr_spool_add_provisional(&spool, &record);
      return 0;
    }

    """

  /// What the directory of a program's spool has after the program could not keep its record.
  private func left(by arguments: [String]) throws -> [String] {
    let directory = try TemporaryDirectory()
    try directory.write(Self.source, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program, arguments, directory: directory.path).outcome == .exited(0))
    return names(in: directory.appending("spool"))
  }

  /// A launch that succeeded counted as failed: the next launch found the record which says that it goes on.
  @Test(arguments: ["too large", "no room", "elsewhere"])
  func aLaunchWhoseRecordCannotBeKeptHasNotFailed(reason: String) throws {
    #expect(try left(by: [reason]) == [".lock"])
  }

  /// A launch that timed out left no record at all.
  @Test(arguments: ["too large", "no room"])
  func aLaunchThatFailedKeepsItsProvisionalRecord(reason: String) throws {
    let names = try left(by: [reason, "incomplete"])
    #expect(names.count == 2 && names.contains { $0.hasPrefix(".open-") }, "\(names)")
  }
}
