// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "perf.h"

#include <stdlib.h>
#include <unistd.h>

// Where waits are called: the stack of a thread that leaves its CPU.

enum {
  /// Enough for most stacks. Deeper ones are continued by those of samples.
  MOST_STACK_BYTES = 4096,
  /// 120 waits a CPU in each period. Others are lost: a program that waits more often waits for a short time, and each copy
  /// costs it 2 µs. Fewer on a machine with many CPUs, on each of which a program waits less.
  WAIT_PAGES = 128,
  LEAST_WAIT_PAGES = 16,
  ALL_WAIT_PAGES = 512,
  PERIOD_NS = 50 * 1000 * 1000,
  /// Kept of a launch: 4,000 waits.
  WAIT_ROOM = 16 << 20,
};

static bool open_waits(lo_perf_rings *rings) {
  if (rings->wait_count > 0) return true;
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  rings->waits = calloc((size_t)cpus, sizeof *rings->waits);
  if (rings->waits == NULL) return false;
  size_t pages = lo_perf_ring_pages(WAIT_PAGES, LEAST_WAIT_PAGES, ALL_WAIT_PAGES, (size_t)rings->count);
  // A full ring of waits does not wake the launcher.
  int error = lo_perf_rings_open_all(rings->waits, &rings->wait_count, cpus, pages, UINT32_MAX);
  if (error == 0 && rings->wait_count == rings->count) return true;
  lo_perf_close_waits(rings);
  return false;
}

bool lo_perf_waits_are_due(lo_perf *session) {
  uint64_t now = lo_now();
  if (now - session->waits_drained < PERIOD_NS) return false;
  session->waits_drained = now;
  return true;
}

void lo_perf_close_waits(lo_perf_rings *rings) {
  for (int i = 0; i < rings->wait_count; i++) lo_perf_ring_close(&rings->waits[i]);
  free(rings->waits);
  rings->waits = NULL;
  rings->wait_count = 0;
}

void lo_perf_watch_waits(lo_perf *session) {
  uint32_t stack_bytes = session->stack_bytes < MOST_STACK_BYTES ? session->stack_bytes : MOST_STACK_BYTES;
  struct perf_event_attr attr = lo_perf_sampling(PERF_COUNT_SW_CONTEXT_SWITCHES, 1, stack_bytes);
  attr.sample_max_stack = 1;
  // The switch itself happens in the kernel.
  attr.exclude_kernel = 0;
  int permitted = lo_perf_open_event(&attr, session->pid, -1);
  if (permitted < 0) return;
  close(permitted);
  if (!open_waits(session->shared)) return;
  session->wait_room = WAIT_ROOM;
  for (int i = 0; i < session->shared->wait_count; i++) {
    const lo_perf_ring *ring = &session->shared->waits[i];
    if (lo_perf_open_into(&session->events, &attr, session->pid, ring, LO_PERF_WAIT, 0) != 0) return;
  }
}
