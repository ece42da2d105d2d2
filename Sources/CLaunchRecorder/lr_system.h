// SPDX-License-Identifier: Apache-2.0

// System calls of the recorder before the program runs, without libc.
//
// The loader looks up each function that an image calls for the first time, a microsecond or two. The function may also
// lie on a libc page that nothing has needed yet. A launch that is not recorded would pay for that, too. The numbers
// and the convention of system calls are the kernel's promise (syscall(2)).
#ifndef LR_SYSTEM_H
#define LR_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__LP64__)
#error "the recorder needs a 64-bit system: it stores times and records in words of eight bytes"
#endif

#if defined(__x86_64__) || defined(__aarch64__)
#include "lr_system_call.h"
#else
static inline long lr_ask_system(long number, long a, long b, long c, long d, long e, long f) {
  long answer = syscall(number, a, b, c, d, e, f);
  return answer < 0 ? -errno : answer;
}
#endif

/// As syscall(2): -1 and errno on failure.
static inline long lr_system(long number, long a, long b, long c, long d, long e, long f) {
  long answer = lr_ask_system(number, a, b, c, d, e, f);
  if ((unsigned long)answer < -4095ul) return answer;
  errno = (int)-answer;
  return -1;
}

static inline int32_t lr_thread_id(void) { return (int32_t)lr_system(SYS_gettid, 0, 0, 0, 0, 0, 0); }
/// Asks the kernel each time: a fork is another process.
static inline int32_t lr_current_process(void) { return (int32_t)lr_system(SYS_getpid, 0, 0, 0, 0, 0, 0); }

/// clock_gettime(2), ns, without the vDSO: a tenth of a microsecond slower, but it needs no page of the vDSO.
static inline uint64_t lr_clock_ask(int clock) {
  struct timespec now = {0, 0};
  lr_system(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Returns -1 and sets errno on failure, as all functions here do.
static inline int lr_open_file(const char *path, int flags, int mode) {
  return (int)lr_system(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}

static inline int lr_file_status(int descriptor, struct stat *status) {
  return (int)lr_system(SYS_fstat, descriptor, (long)status, 0, 0, 0, 0);
}

/// MAP_FAILED on failure.
static inline void *lr_map_pages(size_t size, int flags, int descriptor) {
  return (void *)lr_system(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, flags, descriptor, 0);
}

static inline int lr_advise(void *memory, size_t size, int advice) {
  return (int)lr_system(SYS_madvise, (long)memory, (long)size, advice, 0, 0, 0);
}

/// strnlen(3).
static inline size_t lr_length(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) length++;
  return length;
}

/// The part after the last slash.
static inline const char *lr_base_name(const char *path) {
  const char *base = path;
  for (; *path; path++)
    if (*path == '/') base = path + 1;
  return base;
}

#endif
