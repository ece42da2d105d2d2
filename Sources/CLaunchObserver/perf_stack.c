// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

#include <string.h>

// The kernel gives registers in the order of its own numbers. All of them: the linker's stubs and realigned frames need more
// than those that functions save.
#if defined(__x86_64__)
// AX to IP, R8 to R15
static const uint64_t REGISTERS = 0xff01ff;
static const int NUMBERS[] = {0, 3, 2, 1, 4, 5, 6, 7, -1, 8, 9, 10, 11, 12, 13, 14, 15};
#elif defined(__aarch64__)
// X0 to X30, SP, PC
static const uint64_t REGISTERS = 0x1ffffffffull;
static const int NUMBERS[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                              17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, -1};
#endif

enum {
  REGISTER_COUNT = sizeof NUMBERS / sizeof *NUMBERS,
  /// {id, ip, tid, time, cpu} behind the header
  CHAIN_PLACE = sizeof(struct perf_event_header) + 5 * 8,
};

const int *lo_perf_register_numbers(size_t *count) {
  *count = REGISTER_COUNT;
  return NUMBERS;
}

struct perf_event_attr lo_perf_sampling(uint64_t config, uint64_t period, uint32_t stack_bytes) {
  struct perf_event_attr attr = lo_perf_observing(PERF_TYPE_SOFTWARE, config);
  attr.sample_period = period;
  attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
  attr.exclude_callchain_kernel = 1;
  if (stack_bytes == 0) return attr;
  attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr.sample_regs_user = REGISTERS;
  attr.sample_stack_user = stack_bytes;
  return attr;
}

static uint64_t word(const lo_perf_ring *ring, uint64_t at) {
  const char *data = (const char *)ring->page + ring->page->data_offset;
  uint64_t value;
  // Records are aligned to eight bytes: none of their words is cut at the end of the ring.
  memcpy(&value, data + (at & (ring->size - 1)), sizeof value);
  return value;
}

// How many bytes of stacks the events of this kind may still hand on; NULL if they have no stacks.
static size_t *room(lo_perf *session, uint64_t id) {
  for (int i = 0; i < session->events.count; i++) {
    if (session->events.members[i].event.id != id) continue;
    switch (session->events.members[i].event.kind) {
    case LO_PERF_SAMPLES: return &session->stack_room;
    case LO_PERF_WAIT: return &session->wait_room;
    default: return NULL;
    }
  }
  return NULL;
}

size_t lo_perf_stack_place(lo_perf *session, const lo_perf_ring *ring, uint64_t at, size_t *kept) {
  uint64_t first = word(ring, at);
  struct perf_event_header header;
  memcpy(&header, &first, sizeof header);
  if (session->stack_bytes == 0 || header.type != PERF_RECORD_SAMPLE || header.size < CHAIN_PLACE + 32) return 0;
  size_t *left = room(session, word(ring, at + sizeof header));
  if (left == NULL) return 0;
  uint64_t frames = word(ring, at + CHAIN_PLACE);
  if (frames > header.size / 8) return 0;
  size_t place = CHAIN_PLACE + 8 + (size_t)frames * 8;
  if (place + 8 > header.size) return 0;
  place += 8 + (word(ring, at + place) != 0 ? REGISTER_COUNT * 8 : 0);
  if (place + 16 > header.size) return 0;
  uint64_t size = word(ring, at + place);
  if (size == 0 || size % 8 != 0 || place + 16 + size != header.size) return 0;
  uint64_t read = word(ring, at + place + 8 + size) & ~7ull;
  *kept = read <= size && read <= *left ? (size_t)read : 0;
  *left -= *kept;
  return place;
}
