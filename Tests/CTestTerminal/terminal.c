// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

pid_t ct_spawn_on_terminal(
  const char *program, char *const *arguments, char *const *environment, const char *directory, int *keyboard) {
  struct winsize size = {.ws_row = 24, .ws_col = 100};
  pid_t child = forkpty(keyboard, NULL, NULL, &size);
  if (child < 0) return -errno;
  if (child > 0) {
    fcntl(*keyboard, F_SETFD, FD_CLOEXEC);
    return child;
  }
  for (int signal = 1; signal < 32; signal++) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (chdir(directory) == 0) execve(program, arguments, environment);
  _exit(127);
}
