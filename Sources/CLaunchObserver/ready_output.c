// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

int lo_pipe(int *source, int *program_end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  *source = ends[0];
  *program_end = ends[1];
  return 0;
}

int lo_terminal_like(int stream, int *source, int *program_end) {
  struct termios modes;
  if (tcgetattr(stream, &modes) != 0) return errno;
  int keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (keyboard < 0) return errno;
  int screen = -1;
  char name[128];
  if (grantpt(keyboard) == 0 && unlockpt(keyboard) == 0 && ptsname_r(keyboard, name, sizeof name) == 0)
    screen = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  // It changes nothing on the way: the real one makes line ends and echoes.
  modes.c_oflag &= ~(tcflag_t)OPOST;
  modes.c_lflag &= ~(tcflag_t)ECHO;
  if (screen < 0 || tcsetattr(screen, TCSANOW, &modes) != 0) {
    int error = errno;
    if (screen >= 0) close(screen);
    close(keyboard);
    return error;
  }
  *source = keyboard;
  *program_end = screen;
  return 0;
}

ssize_t lo_splice(int source, int target, size_t count) {
  for (;;) {
    ssize_t moved = splice(source, NULL, target, NULL, count, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    if (moved >= 0) return moved;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return -errno;
    // There is nothing to read, or the reader of our output is slower. Wait only then, as write(2) would.
    struct pollfd input = {.fd = source, .events = POLLIN};
    if (poll(&input, 1, 0) <= 0 || !(input.revents & POLLIN)) return -EAGAIN;
    struct pollfd output = {.fd = target, .events = POLLOUT};
    poll(&output, 1, -1);
  }
}

size_t lo_output_capacity(int source) {
  int capacity = fcntl(source, F_GETPIPE_SZ);
  return capacity > 0 ? (size_t)capacity : 65536;
}

ssize_t lo_bytes_find(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *found = memmem(bytes, count, wanted, length);
  return found ? found - (const char *)bytes : -1;
}

size_t lo_bytes_line_start(const void *bytes, size_t at) {
  const char *found = memrchr(bytes, '\n', at);
  return found ? (size_t)(found - (const char *)bytes) + 1 : 0;
}

size_t lo_bytes_line_end(const void *bytes, size_t count, size_t at) {
  const char *found = at < count ? memchr((const char *)bytes + at, '\n', count - at) : NULL;
  return found ? (size_t)(found - (const char *)bytes) : count;
}
