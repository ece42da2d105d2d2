// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// For breakpoints, and for the moment of execve.
enum { SPARE_PAGES = 8 };

int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, int cpu, size_t pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *memory = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  // EPERM: more than the user may lock. perf_event_open has another reason for it. mmap(2) of locked memory says EAGAIN.
  if (memory == MAP_FAILED) return errno == EPERM || errno == ENOMEM ? EAGAIN : errno;
  *ring = (lo_perf_ring){.descriptor = descriptor, .cpu = cpu, .page = memory, .size = page * pages};
  return 0;
}

static int open_ring(lo_perf_ring *ring, int cpu, size_t pages, uint32_t watermark) {
  struct perf_event_attr attr = lo_perf_attributes(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
  attr.disabled = 1;
  attr.wakeup_watermark = watermark;
  int descriptor = lo_perf_open_event(&attr, 0, cpu);
  if (descriptor < 0) return errno;
  int error = lo_perf_ring_map(ring, descriptor, cpu, pages);
  if (error != 0) close(descriptor);
  return error;
}

int lo_perf_rings_open_all(lo_perf_ring *rings, int *count, long cpus, size_t pages, uint32_t watermark) {
  int error = EAGAIN;
  // Another session of this user may have locked memory, too.
  for (; error == EAGAIN && pages > 0; pages /= 2) {
    uint32_t half = (uint32_t)(pages * (size_t)sysconf(_SC_PAGESIZE) / 2);
    uint32_t wakes = watermark == UINT32_MAX || watermark < half ? watermark : half;
    error = 0;
    for (int cpu = 0; cpu < cpus && error == 0; cpu++) {
      error = open_ring(&rings[*count], cpu, pages, wakes);
      if (error == 0) ++*count;
      // That CPU is switched off.
      if (error == ENODEV) error = 0;
    }
    lo_perf_ring spare;
    if (error == 0 && *count > 0) error = open_ring(&spare, rings[0].cpu, SPARE_PAGES, UINT32_MAX);
    if (error == 0 && *count > 0) lo_perf_ring_close(&spare);
    while (error != 0 && *count > 0) lo_perf_ring_close(&rings[--*count]);
  }
  return error;
}

size_t lo_perf_ring_pages(size_t most, size_t least, size_t all, size_t rings) {
  size_t pages = most;
  while (pages > least && pages * rings > all) pages /= 2;
  return pages;
}

void lo_perf_ring_close(lo_perf_ring *ring) {
  if (ring->descriptor < 0) return;
  munmap(ring->page, ring->size + (size_t)sysconf(_SC_PAGESIZE));
  close(ring->descriptor);
  ring->descriptor = -1;
}

static uint64_t head(const lo_perf_ring *ring) { return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE); }

static void release(lo_perf_ring *ring, uint64_t end) {
  __atomic_store_n(&ring->page->data_tail, end, __ATOMIC_RELEASE);
}

void lo_perf_ring_clear(lo_perf_ring *ring) {
  ring->looked = head(ring);
  release(ring, ring->looked);
}

int lo_perf_descriptor_count(const lo_perf *session) {
  return session->shared->count + (lo_perf_watches_exec(session) ? 1 : 0);
}

int lo_perf_descriptor_at(const lo_perf *session, int index) {
  return index < session->shared->count ? session->shared->rings[index].descriptor : session->exec.descriptor;
}

// The ring of this index: of the CPUs, of breakpoints, and where they are due, of waits. NULL if there are no more.
static lo_perf_ring *ring_at(lo_perf *session, int index, bool has_waits) {
  lo_perf_rings *shared = session->shared;
  if (index < shared->count) return &shared->rings[index];
  if (index == shared->count) return &session->points;
  index -= shared->count + 1;
  return has_waits && index < shared->wait_count ? &shared->waits[index] : NULL;
}

typedef struct {
  void (*take)(void *context, int ring, const void *bytes, size_t count);
  void *context;
} taker;

// A stretch of a ring, in two pieces where it wraps.
static void hand_on(const taker *to, int index, const lo_perf_ring *ring, uint64_t at, uint64_t end) {
  const char *data = (const char *)ring->page + ring->page->data_offset;
  while (at < end) {
    size_t place = at & (ring->size - 1);
    size_t count = end - at < ring->size - place ? (size_t)(end - at) : ring->size - place;
    to->take(to->context, index, data + place, count);
    at += count;
  }
}

// A sample without what the kernel left empty of its stack.
static void hand_on_cut(
  const taker *to, int index, const lo_perf_ring *ring, uint64_t at, struct perf_event_header header, size_t place,
  size_t kept) {
  uint64_t size = kept;
  header.size = (uint16_t)(place + kept + 16);
  to->take(to->context, index, &header, sizeof header);
  hand_on(to, index, ring, at + sizeof header, at + place);
  to->take(to->context, index, &size, sizeof size);
  hand_on(to, index, ring, at + place + 8, at + place + 8 + kept);
  to->take(to->context, index, &size, sizeof size);
}

void lo_perf_drain(
  lo_perf *session, bool is_last, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context) {
  taker to = {take, context};
  bool has_waits = is_last || lo_perf_waits_are_due(session);
  lo_perf_ring *ring;
  for (int i = 0; (ring = ring_at(session, i, has_waits)) != NULL; i++) {
    if (ring->descriptor < 0) continue;
    const char *data = (const char *)ring->page + ring->page->data_offset;
    uint64_t end = head(ring), at = ring->page->data_tail, whole = at;
    while (at < end) {
      struct perf_event_header header;
      memcpy(&header, data + (at & (ring->size - 1)), sizeof header);
      if (header.size < sizeof header || header.size > end - at) break;
      size_t kept = 0, place = lo_perf_stack_place(session, ring, at, &kept);
      if (place > 0) {
        hand_on(&to, i, ring, whole, at);
        hand_on_cut(&to, i, ring, at, header, place, kept);
        whole = at + header.size;
      }
      at += header.size;
    }
    hand_on(&to, i, ring, whole, end);
    release(ring, end);
  }
}

// Headers are aligned to their own size, so that none is cut in two at the end of the ring.
static bool has_waited(lo_perf_ring *ring) {
  const char *data = (const char *)ring->page + ring->page->data_offset;
  uint64_t end = head(ring), at = ring->looked;
  ring->looked = end;
  // What is drained may be written over.
  if (at < ring->page->data_tail) return true;
  while (at < end) {
    const struct perf_event_header *header = (const void *)(data + (at & (ring->size - 1)));
    bool is_out = header->type == PERF_RECORD_SWITCH && header->misc & PERF_RECORD_MISC_SWITCH_OUT;
    if ((is_out && !(header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)) || header->size == 0) return true;
    at += header->size;
  }
  return false;
}

bool lo_perf_has_waited(lo_perf *session) {
  bool waited = false;
  for (int i = 0; i < session->shared->count; i++) waited |= has_waited(&session->shared->rings[i]);
  return waited;
}
