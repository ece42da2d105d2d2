#ifndef LAUNCHPROF_LO_COLD_H
#define LAUNCHPROF_LO_COLD_H

#include <stdbool.h>
#include <stdint.h>

/// What became of a file's pages in the page cache.
typedef struct {
  uint64_t device, inode;
  uint64_t bytes;
  /// Bytes of it that are still in memory.
  uint64_t resident_bytes;
  /// Whether the kernel says so to this user: mincore(2) tells owners and writers only.
  bool is_known;
  /// It is on a file system in memory, and has no other place.
  bool is_in_memory_only;
} lo_eviction;

/// Drops a regular file's pages from the page cache, after what is dirty has been written. Pages that a process has mapped
/// stay. Needs no privileges. Returns 0 or errno; EINVAL for what is no regular file.
int lo_evict(const char *path, lo_eviction *eviction);

#endif
