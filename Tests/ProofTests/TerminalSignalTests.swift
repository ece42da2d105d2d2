// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Signals that end a full-screen program.
struct TerminalSignalTests {
  /// A frozen connection, for example: the handler, too, waited for the terminal, and only SIGKILL ended the program.
  @Test func aSignalEndsAProgramWhoseTerminalTakesNoOutput() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      #define _GNU_SOURCE
      #include <CLaunchRecorder.h>
      #include <fcntl.h>
      #include <pty.h>
      #include <signal.h>
      #include <sys/wait.h>
      #include <unistd.h>
      // Draws until the terminal is full, and then hangs.
      static void draw(int ready) {
        static const char frame[4096];
        struct termios before, raw;
        struct sigaction former;
        int ends[2];
        if (pipe2(ends, O_NONBLOCK) != 0 || tcgetattr(0, &before) != 0) _exit(1);
        raw = before;
        cfmakeraw(&raw);
        tcsetattr(0, TCSANOW, &raw);
        lr_terminal_taken(&before);
        lr_signal_catch(SIGTERM, ends[1], &former);
        (void)!write(ready, "", 1);
        for (;;) (void)!write(1, frame, sizeof frame);
      }
      int main(void) {
        int ready[2], master, status = 0;
        char byte;
        if (pipe(ready) != 0) return 1;
        pid_t child = forkpty(&master, NULL, NULL, NULL);
        if (child == 0) draw(ready[1]);
        if (child < 0 || read(ready[0], &byte, 1) != 1) return 2;
        usleep(200000);
        kill(child, SIGTERM);
        // Later, it is a second wish.
        usleep(1200000);
        kill(child, SIGTERM);
        for (int waited = 0; waited < 10000; waited++) {
          if (waitpid(child, &status, WNOHANG) == child) return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 3;
          usleep(1000);
        }
        kill(child, SIGKILL);
        return 4;
      }
      """, to: "main.c")
    let program = try RecorderProgram.compile(directory.appending("main.c"), ["-lutil"], in: directory)
    #expect(try TestProcess.run(program).outcome == .exited(0))
  }
}
