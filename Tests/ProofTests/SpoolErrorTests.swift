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
      if (count != 2 || lr_spool_add_provisional(&spool, &record) != 0) return 1;
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

  /// A launch that succeeded counted as failed: the next launch found the record which says that it goes on.
  @Test(arguments: ["too large", "no room", "elsewhere"])
  func aLaunchWhoseRecordCannotBeKeptHasNotFailed(reason: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.source, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program, [reason], directory: directory.path).outcome == .exited(0))
    #expect(names(in: directory.appending("spool")) == [".lock"])
  }
}
