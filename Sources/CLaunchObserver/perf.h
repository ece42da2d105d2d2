#ifndef LAUNCHPROF_PERF_H
#define LAUNCHPROF_PERF_H

#include "CLaunchObserver.h"

#include <linux/perf_event.h>

/// One ring that the kernel writes and we read.
typedef struct {
  int descriptor;
  /// Whose records it holds; -1 for those of the first thread alone.
  int cpu;
  struct perf_event_mmap_page *page;
  /// Bytes of data, a power of two; the header's page comes on top.
  size_t size;
  /// Up to there `lo_perf_has_waited` has looked.
  uint64_t looked;
} lo_perf_ring;

typedef struct {
  int descriptor;
  lo_perf_event event;
} lo_perf_member;

struct lo_perf_rings {
  lo_perf_ring *rings;
  int count;
  /// Of tracepoints; -1 for none.
  int held[2];
};

struct lo_perf {
  pid_t pid;
  bool says_lost;
  lo_perf_member *members;
  int member_count, member_room;
  /// One a CPU.
  lo_perf_rings *shared;
  /// Of the first thread alone: its programs' names, which wake whoever polls.
  lo_perf_ring first;
  /// Of the first thread alone: its breakpoints, which wake nobody, since the program would pay for it.
  lo_perf_ring points;
};

/// Maps a ring of at most `pages` pages, or of fewer where the user may not lock as much memory. Returns 0 or errno.
int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, int cpu, size_t pages);
/// Unmaps it and closes its descriptor.
void lo_perf_ring_close(lo_perf_ring *ring);
/// Forgets what is in it.
void lo_perf_ring_clear(lo_perf_ring *ring);

/// Adds an event to the session. Returns 0 or errno; then `descriptor` is closed.
int lo_perf_add(lo_perf *session, int descriptor, lo_perf_kind kind, uint64_t address);

#endif
