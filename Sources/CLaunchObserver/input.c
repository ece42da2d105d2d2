// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/// As large as a user may make a pipe.
enum { MOST = 1 << 20 };

static int waiting(int pipe) {
  int count;
  return ioctl(pipe, FIONREAD, &count) == 0 ? count : 0;
}

/// Whether a pipe or a socket has no writer any more. Waits so long for that.
static bool has_lost_writer(int pipe, int wait_ms) {
  struct pollfd request = {.fd = pipe};
  uint64_t now = lo_now(), end = now + (uint64_t)wait_ms * 1000000u;
  int found;
  // A signal, such as of a terminal that gets another size, does not end the wait.
  while ((found = lo_poll(&request, 1, (int64_t)(end - now))) < 0 && errno == EINTR) {
    now = lo_now();
    if (now > end) now = end;
  }
  return found == 1 && (request.revents & POLLHUP) != 0;
}

bool lo_pipe_is_used_up(int pipe) { return has_lost_writer(pipe, 0) && waiting(pipe) == 0; }

/// Moves all that a pipe holds to a file. Returns whether it did.
static bool move(int from, int file, size_t count) {
  while (count > 0) {
    ssize_t moved = splice(from, NULL, file, NULL, count, SPLICE_F_NONBLOCK);
    if (moved <= 0) return false;
    count -= (size_t)moved;
  }
  return lseek(file, 0, SEEK_SET) == 0;
}

int lo_pipe_copy(int pipe, int wait_ms) {
  // A larger pipe lets its writer end before a program reads. An owner with more rights may have made it larger still.
  if (fcntl(pipe, F_GETPIPE_SZ) < MOST) fcntl(pipe, F_SETPIPE_SZ, MOST);
  if (!has_lost_writer(pipe, wait_ms)) return -1;
  int count = waiting(pipe), ends[2];
  if (count <= 0 || pipe2(ends, O_CLOEXEC) != 0) return -1;
  // The copy needs as many pages as the pipe has.
  fcntl(ends[1], F_SETPIPE_SZ, fcntl(pipe, F_GETPIPE_SZ));
  int file = memfd_create("input", MFD_CLOEXEC);
  bool is_whole = file >= 0 && tee(pipe, ends[1], (size_t)count, SPLICE_F_NONBLOCK) == count &&
                  move(ends[0], file, (size_t)count);
  close(ends[0]);
  close(ends[1]);
  if (is_whole) return file;
  if (file >= 0) close(file);
  return -1;
}
