// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "CLaunchRecorder.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
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

/// A write to a terminal whose reader has stopped would block, and this may be the handler of the signal that ends the program.
static bool lr_terminal_has_room(void) {
  struct pollfd screen = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&screen, 1, 0) > 0 && (screen.revents & POLLOUT);
}

// In the background, the terminal is another program's.
void lr_terminal_give_back(void) {
  if (atomic_exchange(&lr_terminal_process, 0) != getpid()) return;
  pid_t foreground = tcgetpgrp(STDIN_FILENO);
  if (foreground >= 0 && foreground != getpgrp()) return;
  static const char leave[] = "\033[?25h\033[?1049l";
  // What is in the way is a frame that the terminal did not take.
  if (!lr_terminal_has_room()) tcflush(STDOUT_FILENO, TCOFLUSH);
  if (lr_terminal_has_room()) (void)!write(STDOUT_FILENO, leave, sizeof leave - 1);
  while (tcsetattr(STDIN_FILENO, TCSANOW, &lr_terminal_modes) != 0 && errno == EINTR) {}
}
#endif
