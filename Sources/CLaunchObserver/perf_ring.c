#define _GNU_SOURCE
#include "perf.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int lo_perf_ring_map(lo_perf_ring *ring, int descriptor, size_t pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (; pages > 0; pages /= 2) {
    void *memory = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) {
      *ring = (lo_perf_ring){descriptor, memory, page * pages};
      return 0;
    }
    // EPERM: over what the user may lock; another session may be on.
    if (errno != EPERM && errno != ENOMEM) break;
  }
  return errno;
}

void lo_perf_ring_unmap(lo_perf_ring *ring) {
  if (ring->page != NULL) munmap(ring->page, ring->size + (size_t)sysconf(_SC_PAGESIZE));
  ring->page = NULL;
}

int lo_perf_add_ring(lo_perf *session, int descriptor, size_t pages) {
  if (session->ring_count == session->ring_room) {
    int room = session->ring_room * 2 + 16;
    lo_perf_ring *rings = realloc(session->rings, (size_t)room * sizeof *rings);
    if (rings == NULL) return ENOMEM;
    session->rings = rings;
    session->ring_room = room;
  }
  int error = lo_perf_ring_map(&session->rings[session->ring_count], descriptor, pages);
  if (error == 0) session->ring_count++;
  return error;
}

int lo_perf_ring_count(const lo_perf *session) { return session->ring_count; }

int lo_perf_descriptor_count(const lo_perf *session) {
  return session->ring_count + (session->exec.descriptor >= 0 ? 1 : 0);
}

int lo_perf_descriptor_at(const lo_perf *session, int index) {
  return index < session->ring_count ? session->rings[index].descriptor : session->exec.descriptor;
}

static uint64_t head(const lo_perf_ring *ring) { return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE); }

uint64_t lo_perf_pending(const lo_perf *session) {
  uint64_t pending = 0;
  for (int i = 0; i < session->ring_count; i++)
    pending += head(&session->rings[i]) - session->rings[i].page->data_tail;
  return pending;
}

void lo_perf_drain(
  lo_perf *session, void (*take)(void *context, int ring, const void *bytes, size_t count), void *context) {
  for (int i = 0; i < session->ring_count; i++) {
    lo_perf_ring *ring = &session->rings[i];
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
  // What it says is in the rings, too.
  if (session->exec.page != NULL)
    __atomic_store_n(&session->exec.page->data_tail, head(&session->exec), __ATOMIC_RELEASE);
}
