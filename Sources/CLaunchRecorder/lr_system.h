// What the recorder asks of the system before the program runs, through one function of libc.
//
// Each function that an image calls for the first time is looked up by the loader, a microsecond or two, and may lie on a page
// of libc that nobody has needed yet. syscall(2) is looked up once.
#ifndef LR_SYSTEM_H
#define LR_SYSTEM_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int32_t lr_thread_id(void) { return (int32_t)syscall(SYS_gettid); }
/// Asks the kernel each time: a fork is another process.
static inline int32_t lr_current_process(void) { return (int32_t)syscall(SYS_getpid); }

/// Returns -1 and sets errno on failure, as all of these do.
static inline int lr_open_file(const char *path, int flags, int mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode);
}

static inline int64_t lr_file_size(int descriptor) { return syscall(SYS_lseek, descriptor, (off_t)0, SEEK_END); }

/// MAP_FAILED on failure.
static inline void *lr_map_pages(size_t size, int flags, int descriptor) {
  return (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, flags, descriptor, (off_t)0);
}

static inline int lr_advise(void *memory, size_t size, int advice) {
  return (int)syscall(SYS_madvise, memory, size, advice);
}

/// strnlen(3).
static inline size_t lr_length(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) length++;
  return length;
}

/// Behind the last slash.
static inline const char *lr_base_name(const char *path) {
  const char *base = path;
  for (; *path; path++)
    if (*path == '/') base = path + 1;
  return base;
}

#endif
