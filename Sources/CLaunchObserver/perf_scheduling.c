// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>

// What a thread does in the kernel, by a tracepoint of the scheduler.
static struct perf_event_attr scheduler_event(uint64_t tracepoint) {
  struct perf_event_attr attr = lo_perf_observing(PERF_TYPE_TRACEPOINT, tracepoint);
  attr.sample_period = 1;
  attr.sample_type |= PERF_SAMPLE_RAW;
  attr.exclude_kernel = 0;
  return attr;
}

int lo_perf_hold_tracepoints(lo_perf_rings *rings, uint64_t switch_id, uint64_t waking_id) {
  uint64_t ids[2] = {switch_id, waking_id};
  for (int i = 0; i < 2; i++) {
    if (rings->held[i] >= 0) continue;
    struct perf_event_attr attr = scheduler_event(ids[i]);
    attr.enable_on_exec = attr.inherit = 0;
    rings->held[i] = lo_perf_open_event(&attr, 0, -1);
    if (rings->held[i] < 0) return errno;
  }
  return 0;
}

// What makes the first thread ready, on one CPU: also an interrupt, or a thread of another program. Events of a process
// record only what its own threads do.
static int open_first_wakings(lo_perf *session, const lo_perf_ring *ring, uint64_t waking_id) {
  struct perf_event_attr attr = scheduler_event(waking_id);
  attr.enable_on_exec = attr.inherit = 0;
  int error = lo_perf_open_into(&session->events, &attr, -1, ring, LO_PERF_WAKING, 0);
  if (error != 0) return error;
  int descriptor = session->events.members[session->events.count - 1].descriptor;
  char filter[32];
  snprintf(filter, sizeof filter, "pid == %d", session->pid);
  if (ioctl(descriptor, PERF_EVENT_IOC_SET_FILTER, filter) != 0) return errno;
  return ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0) == 0 ? 0 : errno;
}

int lo_perf_watch_scheduling(lo_perf *session, uint64_t switch_id, uint64_t waking_id, bool is_own_number) {
  int first = session->events.count;
  int error = 0;
  for (int i = 0; i < session->shared->count && error == 0; i++) {
    const lo_perf_ring *ring = &session->shared->rings[i];
    struct perf_event_attr switches = scheduler_event(switch_id), wakings = scheduler_event(waking_id);
    error = lo_perf_open_into(&session->events, &switches, session->pid, ring, LO_PERF_SWITCH, 0);
    if (error == 0) error = lo_perf_open_into(&session->events, &wakings, session->pid, ring, LO_PERF_WAKING, 0);
    if (error == 0 && is_own_number) error = open_first_wakings(session, ring, waking_id);
  }
  if (error != 0) lo_perf_close_behind(&session->events, first);
  return error;
}
