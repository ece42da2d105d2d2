// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_reserve.h"
#include "lr_packet.h"
#include "lr_recorder.h"

uint8_t *lr_reserve_start;

/// Places that are taken: of those for any milestone, and of the last ones, which only the end of a launch may use.
static uint32_t lr_taken, lr_taken_by_ends;

/// The number of the next place; `count` or more if all are taken.
static uint32_t lr_take(uint32_t *taken, uint32_t count) {
  if (__atomic_load_n(taken, __ATOMIC_RELAXED) >= count) return count;
  return __atomic_fetch_add(taken, 1, __ATOMIC_RELAXED);
}

static uint8_t *lr_reserve_take(bool ends_launch) {
  uint8_t *start = __atomic_load_n(&lr_reserve_start, __ATOMIC_ACQUIRE);
  if (start == NULL) return NULL;
  const uint32_t common = LR_PLACES - LS_ENDING_MILESTONES;
  uint32_t place = ends_launch ? lr_take(&lr_taken_by_ends, LS_ENDING_MILESTONES) : LS_ENDING_MILESTONES;
  if (place < LS_ENDING_MILESTONES) return start + (common + place) * LR_PLACE;
  place = lr_take(&lr_taken, common);
  return place < common ? start + place * LR_PLACE : NULL;
}

bool lr_reserve_mark(const lr_writer *writer, const char *name, size_t name_length, uint64_t time) {
  size_t bound = LR_MARK_BOUND(name_length);
  if (lr_event_size(bound) + LR_REST > LR_PLACE || !lr_is_recording_process()) return false;
  uint8_t *place = lr_reserve_take(ls_ends_launch(name, name_length));
  if (place == NULL) return false;
  // The first thread's sequence, which begins before the reserve, says which clock the times are of.
  lr_writer own = {.cursor = place, .end = place + LR_PLACE, .sequence = LR_FIRST_SEQUENCE};
  lr_packet packet;
  if (!lr_event_open(&packet, &own, time, LR_INSTANT, writer ? writer->track : lr_process_track(), bound)) return false;
  lr_event_names(&packet, LR_LITERAL(LS_CATEGORY_MARK), name, name_length);
  lr_event_close(&packet);
  return true;
}
#endif
