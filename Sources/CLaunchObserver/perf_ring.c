#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, int cpu, size_t pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (; pages > 0; pages /= 2) {
    void *memory = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) {
      *ring = (lo_perf_ring){descriptor, cpu, memory, page * pages};
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

void lo_perf_ring_clear(lo_perf_ring *ring) { __atomic_store_n(&ring->page->data_tail, head(ring), __ATOMIC_RELEASE); }

// That of the first thread is the last one.
static lo_perf_ring *ring_at(lo_perf *session, int index) {
  return index < session->shared->count ? &session->shared->rings[index] : &session->first;
}

int lo_perf_ring_count(const lo_perf *session) {
  return session->shared->count + (session->first.descriptor >= 0 ? 1 : 0);
}

int lo_perf_descriptor_at(lo_perf *session, int index) { return ring_at(session, index)->descriptor; }

bool lo_perf_watches_first_thread(const lo_perf *session) { return session->first.descriptor >= 0; }

void lo_perf_drain(
  lo_perf *session, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context) {
  for (int i = 0; i < lo_perf_ring_count(session); i++) {
    lo_perf_ring *ring = ring_at(session, i);
    const char *data = (const char *)ring->page + ring->page->data_offset;
    uint64_t end = head(ring);
    uint64_t at = ring->page->data_tail;
    while (at < end) {
      size_t place = at & (ring->size - 1);
      size_t count = end - at < ring->size - place ? (size_t)(end - at) : ring->size - place;
      take(context, i, data + place, count);
      at += count;
    }
    __atomic_store_n(&ring->page->data_tail, end, __ATOMIC_RELEASE);
  }
}
