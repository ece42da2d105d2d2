// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_COLD_H
#define LAUNCHPROF_LO_COLD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// What happened to a file's pages in the page cache.
typedef struct {
  uint64_t device, inode;
  uint64_t bytes;
  /// Bytes of the file that are still in memory.
  uint64_t resident_bytes;
  /// Whether the kernel says it to this user: mincore(2) answers only for a file's owner and writers.
  bool is_known;
  /// The file is on a file system in memory, and has no other place.
  bool is_in_memory_only;
} lo_eviction;

/// Writes a regular file's dirty pages, then drops its pages from the page cache. Pages that a process has mapped stay.
/// Needs no privileges. Returns 0 or errno; EINVAL if the file is not a regular one.
int lo_evict(const char *path, lo_eviction *eviction);

/// Begins to watch which files processes open, on file systems with a page cache (fanotify(7), Linux 4.20). Needs CAP_SYS_ADMIN.
/// Returns a descriptor to close, or the negated errno.
int lo_opened_watch(void);

/// A process opened this file, which may have gone since then.
typedef void (*lo_opened_found)(void *context, pid_t process, const char *path);

/// Reports what was opened since the last call. The kernel keeps 16,384 openings, and forgets later ones, and those
/// for which there is no descriptor: then it returns false.
bool lo_opened_read(int watch, lo_opened_found found, void *context);

#endif
