// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CMeasure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void redirect(int descriptor, const char *path, int flags) {
  int file = open(path ? path : "/dev/null", flags, 0600);
  if (file >= 0 && file != descriptor) {
    dup2(file, descriptor);
    close(file);
  }
}

cm_run cm_run_program(const char *path, char *const arguments[], char *const environment[], const char *output,
                      const char *errors, char *stamp) {
  cm_run run = {0};
  volatile int exec_error = 0;
  uint64_t start = cm_monotonic();
  // As posix_spawn does it: the child shares our memory until execve, so that no copy of our page tables is on its bill.
  pid_t child = vfork();
  if (child == 0) {
    redirect(0, NULL, O_RDONLY);
    redirect(1, output, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(2, errors, O_WRONLY | O_CREAT | O_TRUNC);
    if (stamp) snprintf(stamp, CM_STAMP_SIZE, "%d:%llu", (int)getpid(), (unsigned long long)cm_monotonic());
    execve(path, arguments, environment);
    exec_error = errno;
    _exit(127);
  }
  run.error = child < 0 ? errno : 0;
  if (child > 0) {
    struct rusage usage;
    while (wait4(child, &run.status, 0, &usage) < 0 && errno == EINTR) {
    }
    run.wall_ns = cm_monotonic() - start;
    run.error = exec_error;
    run.cpu_ns = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
                 (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
    run.peak_bytes = (uint64_t)usage.ru_maxrss * 1024u;
    run.minor_faults = (uint64_t)usage.ru_minflt;
    run.major_faults = (uint64_t)usage.ru_majflt;
  }
  return run;
}

/// Writes the beginning of a prepared trace, as the launcher does: docs/trace-format.md, field 15, length-delimited. The
/// head is three bytes of tag and five of length. The next eight bytes say how much is filled.
static int fill(int file, uint64_t size) {
  enum { CHUNK = 16384, FILLED = 4 * CHUNK };
  unsigned char chunk[CHUNK] = {0}, head[16] = {0xfa, 0x80};
  for (int i = 0; i < 5; i++) head[3 + i] = (unsigned char)(((size - 8) >> (7 * i) & 0x7f) | (i < 4 ? 0x80 : 0));
  for (int i = 0; i < 8; i++) head[8 + i] = (unsigned char)((uint64_t)FILLED >> (8 * i));
  for (off_t at = 0; at < FILLED; at += CHUNK)
    if (pwrite(file, chunk, CHUNK, at) != CHUNK) return errno;
  return pwrite(file, head, sizeof head, 0) == sizeof head && ftruncate(file, (off_t)size) == 0 ? 0 : errno;
}

int cm_prepare_trace(const char *path, uint64_t size) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int error = fill(file, size);
  if (error == 0 && dup2(file, CM_TRACE_DESCRIPTOR) < 0) error = errno;
  close(file);
  return error;
}

uint64_t cm_counter_rate(void) {
#if defined(__x86_64__)
  const struct timespec pause = {.tv_nsec = 5000000};
  uint64_t count = __builtin_ia32_rdtsc(), start = cm_monotonic();
  nanosleep(&pause, NULL);
  uint64_t ticks = __builtin_ia32_rdtsc() - count;
  return (uint64_t)(((unsigned __int128)(cm_monotonic() - start) << 32) / ticks);
#else
  return 0;
#endif
}
