#ifndef LAUNCHPROF_PERF_H
#define LAUNCHPROF_PERF_H

#include "CLaunchObserver.h"

#include <linux/perf_event.h>

/// One ring that the kernel writes and we read.
typedef struct {
  int descriptor;
  struct perf_event_mmap_page *page;
  /// Bytes of data, a power of two; the header's page comes on top.
  size_t size;
} lo_perf_ring;

typedef struct {
  int descriptor;
  lo_perf_event event;
} lo_perf_member;

struct lo_perf {
  pid_t pid;
  bool says_lost;
  lo_perf_member *members;
  int member_count, member_room;
  lo_perf_ring *rings;
  int ring_count, ring_room;
  /// The descriptor of the ring that breakpoints write to.
  int breakpoint_ring;
  /// Wakes whoever polls when the first thread executes a program; its records are repeated in the rings.
  lo_perf_ring exec;
};

/// Maps a ring of at most `pages` pages, or of fewer where the user may not lock as much memory. Returns 0 or errno.
int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, size_t pages);
void lo_perf_ring_unmap(lo_perf_ring *ring);

/// Adds an event to the session. Returns 0 or errno; then `descriptor` is closed.
int lo_perf_add(lo_perf *session, int descriptor, lo_perf_kind kind, uint64_t address);
/// Adds a ring to the session. Returns 0 or errno.
int lo_perf_add_ring(lo_perf *session, int descriptor, size_t pages);

#endif
