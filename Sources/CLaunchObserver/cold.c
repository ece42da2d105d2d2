// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

/// Whether this user namespace has the user id. The files of a user that it does not have seem to belong to user 65534.
static bool is_mapped(uid_t user) {
  FILE *map = fopen("/proc/self/uid_map", "re");
  if (map == NULL) return true;
  unsigned long first, outside, count;
  bool found = false;
  while (!found && fscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3) found = user >= first && user - first < count;
  fclose(map);
  return found;
}

static bool has_capability(unsigned capability) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  return syscall(SYS_capget, &header, data) == 0 && (data[0].effective >> capability & 1) != 0;
}

/// The kernel's rule: can_do_mincore in mm/mincore.c. To others it says that everything is in memory.
static bool may_know(const char *path, uid_t owner) {
  if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0) return true;
  return (owner == geteuid() || has_capability(CAP_FOWNER)) && is_mapped(owner);
}

int lo_evict(const char *path, lo_eviction *eviction) {
  *eviction = (lo_eviction){.is_known = false};
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno;
  struct stat facts;
  int error = fstat(descriptor, &facts) != 0 ? errno : S_ISREG(facts.st_mode) ? 0 : EINVAL;
  if (error == 0) {
    eviction->device = (uint64_t)facts.st_dev;
    eviction->inode = (uint64_t)facts.st_ino;
    eviction->bytes = (uint64_t)facts.st_size;
    eviction->is_in_memory_only = lo_is_in_memory(path);
    // Dirty pages cannot be dropped, so write them first. A read-only file system has none.
    fdatasync(descriptor);
    error = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    eviction->is_known = may_know(path, facts.st_uid);
    if (eviction->is_known) eviction->resident_bytes = resident(descriptor, eviction->bytes);
  }
  close(descriptor);
  return error;
}
