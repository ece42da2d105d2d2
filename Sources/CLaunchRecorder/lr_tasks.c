// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#define LR_MOST_TASKS 16u
#define LR_LONGEST_TASK 128u

static uint32_t lr_open_tasks;

bool lr_task_begin(const char *name, size_t name_length, lr_async *task) {
  *task = (lr_async){0, 0};
  if (name_length > LR_LONGEST_TASK || !lr_is_recording()) return false;
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return false;
  if (__atomic_add_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED) <= LR_MOST_TASKS) {
    lr_lane *lane = lr_lane_take(writer);
    lr_packet packet;
    uint64_t now = lr_now(writer);
    if (lane && lr_event_open(&packet, writer, now, LR_BEGIN, lane->track, 48 + name_length)) {
      lr_event_name(&packet, LS_CATEGORY_EXTENDED_TASK, name, name_length);
      lr_event_close(&packet);
      *task = lr_lane_interval(writer, lane, now, UINT64_MAX);
      return true;
    }
    if (lane) lr_lane_give(writer, lane);
  }
  __atomic_sub_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED);
  return false;
}

void lr_task_end(lr_async task) {
  if (task.lane == 0) return;
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_lane_claim_end(task)) return;
  __atomic_sub_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED);
  lr_lane_end(writer, task, NULL, 0);
}
#endif
