// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct SpoolOwnerTests {
  private static let source = """
    #define _GNU_SOURCE
    #include <CLaunchRecorder.h>
    #include <lr_spool.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <sched.h>
    #include <signal.h>
    #include <string.h>
    #include <sys/wait.h>
    #include <unistd.h>
    // sched.h of older systems lacks it.
    enum { NEW_TIME = 0x80 };
    static const char offsets[] = "boottime 100000 0\\n";
    int main(int count, char **texts) {
      lr_spool spool = {texts[count - 1], 100, 1 << 20};
      lr_spool_record running = {1700000000000, "0123456789abcdef0123456789abcdef", "{}", 2};
      lr_spool_record other = {1700000000001, "fedcba9876543210fedcba9876543210", "{}", 2};
      int ends[2];
      // An unprivileged process needs a user namespace of its own, too.
      if (unshare(NEW_TIME) != 0 && unshare(CLONE_NEWUSER | NEW_TIME) != 0) return 77;
      int file = open("/proc/self/timens_offsets", O_WRONLY);
      if (file < 0 || write(file, offsets, sizeof offsets - 1) < 0) return 77;
      if (pipe(ends) != 0) return 1;
      pid_t child = fork();
      if (child == 0) {
        char kept = lr_spool_add_provisional(&spool, &running) == 0;
        (void)!write(ends[1], &kept, 1);
        for (;;) pause();
      }
      char kept = 0;
      if (child < 0 || read(ends[0], &kept, 1) != 1 || !kept) return 2;
      int error = lr_spool_add(&spool, &other);
      kill(child, SIGKILL);
      waitpid(child, NULL, 0);
      return error == 0 ? 0 : 3;
    }

    """

  /// A process that began at another time seems to be a later one with the same id. Here only the clock of the reader differs, and
  /// the launch would count as failed while it goes on.
  @Test func aProcessOfAnotherTimeNamespaceIsNotGone() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.source, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    let spool = try TemporaryDirectory()
    let run = try TestProcess.run(program, [spool.path])
    // 77: the machine gives this user no time namespaces.
    if run.outcome == .exited(77) { return }
    #expect(run.outcome == .exited(0))
    let names = try spool.contents().filter { $0 != ".lock" }
    #expect(names.count == 2 && names.contains { $0.hasPrefix(".open-") }, "\(names)")
  }

  /// If the parent had died in its launch, there would have been no record of that.
  @Test func aForkThatKeepsARecordLeavesThatOfItsParent() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #include <lr_spool.h>
      #include <sys/wait.h>
      #include <unistd.h>
      int main(int count, char **texts) {
        lr_spool spool = {texts[count - 1], 100, 1 << 20};
        lr_spool_record running = {1700000000000, "0123456789abcdef0123456789abcdef", "{}", 2};
        lr_spool_record other = {1700000000001, "fedcba9876543210fedcba9876543210", "{}", 2};
        if (lr_spool_add_provisional(&spool, &running) != 0) return 1;
        pid_t child = fork();
        if (child == 0) _exit(lr_spool_add(&spool, &other) != 0);
        int status = 1;
        return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 2;
      }

      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    let spool = try TemporaryDirectory()
    #expect(try TestProcess.run(program, [spool.path]).outcome == .exited(0))
    let names = try spool.contents().filter { $0 != ".lock" }
    #expect(names.count == 2 && names.contains { $0.hasPrefix(".open-") }, "\(names)")
  }
}
