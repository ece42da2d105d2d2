#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, int cpu, size_t pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (; pages > 0; pages /= 2) {
    void *memory = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) {
      *ring = (lo_perf_ring){.descriptor = descriptor, .cpu = cpu, .page = memory, .size = page * pages};
      return 0;
    }
    // EPERM: over what the user may lock; another session may be on.
    if (errno != EPERM && errno != ENOMEM) break;
  }
  return errno;
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

void lo_perf_drain(
  lo_perf *session, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context) {
  for (int i = 0; i <= session->shared->count; i++) {
    lo_perf_ring *ring = i < session->shared->count ? &session->shared->rings[i] : &session->points;
    if (ring->descriptor < 0) continue;
    const char *data = (const char *)ring->page + ring->page->data_offset;
    uint64_t end = head(ring);
    uint64_t at = ring->page->data_tail;
    while (at < end) {
      size_t place = at & (ring->size - 1);
      size_t count = end - at < ring->size - place ? (size_t)(end - at) : ring->size - place;
      take(context, i, data + place, count);
      at += count;
    }
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
