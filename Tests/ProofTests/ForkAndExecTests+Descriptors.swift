// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension ForkAndExecTests {
  /// A daemon closes what it does not know. SIGTERM then wrote into one of its files, or went nowhere, and the daemon went on.
  @Test func aSignalEndsAProgramThatClosedTheDescriptorOfItsLoop() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <signal.h>
      #include <sys/stat.h>
      #include <sys/wait.h>
      #include <unistd.h>
      enum loss { NONE, CLOSED, REPLACED, FULL };
      // What a signal does to a process that has lost its descriptor: the number of the signal that ended it, or 0.
      static int end(int number, enum loss loss) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
          int ends[2];
          struct sigaction former;
          struct stat facts;
          if (pipe2(ends, O_NONBLOCK) != 0 || !lr_signal_catch(number, ends[1], &former)) _exit(101);
          int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
          if (loss == FULL) while (write(ends[1], "", 1) == 1) {}
          if (loss == CLOSED) close(ends[1]);
          if (loss == REPLACED && dup2(file, ends[1]) < 0) _exit(102);
          raise(number);
          _exit(fstat(file, &facts) == 0 && facts.st_size == 0 ? 0 : 103);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return -1;
        return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
      }
      int main(void) {
        struct stat facts;
        if (end(SIGTERM, NONE) != 0) return 1;
        if (end(SIGTERM, FULL) != 0) return 2;
        if (end(SIGTERM, CLOSED) != SIGTERM) return 3;
        if (end(SIGTERM, REPLACED) != SIGTERM || stat("file", &facts) != 0 || facts.st_size != 0) return 4;
        return end(SIGWINCH, CLOSED) != 0 || end(SIGWINCH, REPLACED) != 0 ? 5 : 0;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), in: directory)
    #expect(try TestProcess.run(program, directory: directory.path).outcome == .exited(0))
  }
}
