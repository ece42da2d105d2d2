// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension ForkAndExecTests {
  /// A daemon kept the spool of all programs locked until it ended.
  @Test func aForkDoesNotKeepTheSpoolLocked() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <lr_spool.h>
      #include <signal.h>
      #include <sys/file.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static lr_spool spool = {"spool", 100, 1 << 20};
      static void add(void *context) {
        (void)context;
        lr_spool_record record = {1700000000000, "0123456789abcdef0123456789abcdef", "{}", 2};
        lr_spool_add(&spool, &record);
      }
      // A daemon that forks while the spool is in use. Its process number goes into `end`.
      static void fork_after(useconds_t delay, int end) {
        lr_spool_prepare();
        lr_background(add, NULL);
        usleep(delay);
        pid_t daemon = fork();
        if (daemon == 0) pause();
        (void)!write(end, &daemon, sizeof daemon);
        _exit(0);
      }
      int main(void) {
        int ends[2];
        if (pipe(ends) != 0) return 1;
        for (useconds_t delay = 100; delay < 1500; delay += 50) {
          pid_t parent = fork(), daemon;
          if (parent == 0) fork_after(delay, ends[1]);
          if (read(ends[0], &daemon, sizeof daemon) != sizeof daemon || waitpid(parent, NULL, 0) != parent) return 2;
          int lock = open("spool/.lock", O_RDWR), waited = 0;
          // The daemon may not have run yet.
          for (; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && waited < 20000; waited++) usleep(1000);
          if (lock >= 0) close(lock);
          kill(daemon, SIGKILL);
          if (waited == 20000) return 3;
        }
        return access("spool/.lock", F_OK) == 0 ? 0 : 4;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program, directory: directory.path).outcome == .exited(0))
  }

  /// At its deadline, a daemon was told that its launch, which nobody had recorded, was not complete.
  @Test(arguments: [false, true]) func aForkOfALaunchedProgramStartsNothing(isLaunched: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #include <CLaunchRecorder.h>
      #include <sys/wait.h>
      #include <unistd.h>
      static volatile int told;
      static void tell(void *context) {
        (void)context;
        told = 1;
      }
      // The fork ends with 1 if it is told of a launch, with 0 if nothing starts, and with 2 after an error.
      int main(void) {
        int status;
        pid_t child = fork();
        if (child == 0) {
          lr_options options = {.deadline = 1, .completed = tell};
          lr_start_result result = lr_start(&options);
          if (result != LR_STARTED) _exit(result == LR_NOTHING_TO_START ? 0 : 2);
          for (int waited = 0; waited < 20000 && !told; waited++) usleep(1000);
          _exit(told);
        }
        return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 3;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    let launched = isLaunched ? ["LAUNCHPROF_TRACE": directory.appending("launch.pftrace")] : [:]
    #expect(try TestProcess.run(program, adding: launched).outcome == .exited(isLaunched ? 0 : 1))
  }
}
