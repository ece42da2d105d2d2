// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { WINDOW = 64 << 20 };

/// Bytes of the file that are in memory. The mapping itself loads none.
static uint64_t resident(int descriptor, uint64_t size) {
  static const uint64_t page = 4096;
  uint64_t found = 0;
  unsigned char states[WINDOW / 4096];
  uint64_t step = (uint64_t)sysconf(_SC_PAGESIZE);
  if (step < page) step = page;
  for (uint64_t at = 0; at < size; at += WINDOW) {
    uint64_t length = size - at < WINDOW ? size - at : WINDOW;
    void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, descriptor, (off_t)at);
    if (mapped == MAP_FAILED) break;
    if (mincore(mapped, length, states) == 0)
      for (uint64_t i = 0; i * step < length; i++)
        if (states[i] & 1) found += length - i * step < step ? length - i * step : step;
    munmap(mapped, length);
  }
  return found;
}

int lo_evict(const char *path, lo_eviction *eviction) {
  *eviction = (lo_eviction){.is_known = false};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno;
  struct stat facts;
  int error = fstat(descriptor, &facts) != 0 ? errno : S_ISREG(facts.st_mode) ? 0 : EINVAL;
  if (error == 0) {
    struct statfs system;
    eviction->device = (uint64_t)facts.st_dev;
    eviction->inode = (uint64_t)facts.st_ino;
    eviction->bytes = (uint64_t)facts.st_size;
    eviction->is_in_memory_only =
      fstatfs(descriptor, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
    // Dirty pages cannot be dropped, so write them first. A read-only file system has none.
    fdatasync(descriptor);
    error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    // The kernel's rule: can_do_mincore in mm/mincore.c.
    uid_t user = geteuid();
    eviction->is_known = user == 0 || facts.st_uid == user || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
    if (eviction->is_known) eviction->resident_bytes = resident(descriptor, eviction->bytes);
  }
  close(descriptor);
  return error;
}
