// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_COLD_H
#define LAUNCHPROF_LO_COLD_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
