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
  rings->waits = calloc((size_t)rings->count, sizeof *rings->waits);
  if (rings->waits == NULL) return false;
  size_t pages = WAIT_PAGES;
  while (pages > LEAST_WAIT_PAGES && pages * (size_t)rings->count > ALL_WAIT_PAGES) pages /= 2;
  for (int i = 0; i < rings->count; i++) {
    struct perf_event_attr attr = lo_perf_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.disabled = 1;
    attr.wakeup_watermark = UINT32_MAX;
    int cpu = rings->rings[i].cpu;
    int descriptor = lo_perf_open_event(&attr, 0, cpu);
    if (descriptor >= 0 && lo_perf_ring_map(&rings->waits[i], descriptor, cpu, pages) == 0) {
      rings->wait_count++;
      continue;
    }
    if (descriptor >= 0) close(descriptor);
    lo_perf_close_waits(rings);
    return false;
  }
  return true;
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
  struct perf_event_attr attr = lo_perf_observing(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
  attr.sample_period = 1;
  attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
  attr.exclude_callchain_kernel = 1;
  attr.sample_max_stack = 1;
  // The switch itself happens in the kernel.
  attr.exclude_kernel = 0;
  lo_perf_copy_stacks(&attr, session->stack_bytes < MOST_STACK_BYTES ? session->stack_bytes : MOST_STACK_BYTES);
  int permitted = lo_perf_open_event(&attr, session->pid, -1);
  if (permitted < 0) return;
  close(permitted);
  if (!open_waits(session->shared)) return;
  session->wait_room = WAIT_ROOM;
  for (int i = 0; i < session->shared->wait_count; i++)
    if (lo_perf_open_into(session, &attr, session->pid, &session->shared->waits[i], LO_PERF_WAIT, 0) != 0) return;
}
