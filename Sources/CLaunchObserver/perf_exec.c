// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

enum {
  RING_PAGES = 1,
  /// Only a tick outside of the kernel counts: a loader takes long enough for many, and the launcher closes the event behind
  /// two or three.
  TICK_NS = 25000,
};

// A clock that execve starts. Its first tick in the new program wakes the thread that polls. Only that program pays for it. An
// event that records names would also record threads that begin and end, and wake for each of them.
int lo_perf_watch_exec(lo_perf *session) {
  lo_perf_ring_close(&session->exec);
  struct perf_event_attr attr = lo_perf_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
  attr.disabled = attr.enable_on_exec = 1;
  attr.sample_period = TICK_NS;
  attr.watermark = 0;
  attr.wakeup_events = 1;
  return lo_perf_open_ring(session, &session->exec, &attr, RING_PAGES);
}

bool lo_perf_watches_exec(const lo_perf *session) { return session->exec.descriptor >= 0; }
