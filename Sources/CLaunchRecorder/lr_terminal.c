// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "CLaunchRecorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>

/// What a terminal gets back, and the process that took it over; 0 for none.
static struct termios lr_terminal_modes;
static atomic_int lr_terminal_process;

void lr_terminal_taken(const struct termios *before) {
  // A signal may come between the two.
  atomic_store(&lr_terminal_process, 0);
  lr_terminal_modes = *before;
  atomic_store(&lr_terminal_process, getpid());
}

// In the background, the terminal is another program's.
void lr_terminal_give_back(void) {
  if (atomic_exchange(&lr_terminal_process, 0) != getpid()) return;
  pid_t foreground = tcgetpgrp(STDIN_FILENO);
  if (foreground >= 0 && foreground != getpgrp()) return;
  static const char leave[] = "\033[?25h\033[?1049l";
  (void)!write(STDOUT_FILENO, leave, sizeof leave - 1);
  while (tcsetattr(STDIN_FILENO, TCSADRAIN, &lr_terminal_modes) != 0 && errno == EINTR) {}
}
#endif
