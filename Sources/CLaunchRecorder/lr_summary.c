// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  uint32_t held, places;
  /// Allocated with the first one; lr_ends if there is no memory.
  lr_summary_entry *milestones;
  uint64_t completed;
  bool timed_out;
} lr_sum = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Hardly ever used, so not beside data that is.
static lr_summary_entry lr_ends[LS_ENDING_MILESTONES] __attribute__((section(".bss.ends")));

static void lr_make_places(void) {
  lr_sum.milestones = lr_zeroed(LR_SUMMARY_CAPACITY * sizeof *lr_sum.milestones);
  lr_sum.places = lr_sum.milestones ? LR_SUMMARY_CAPACITY : LS_ENDING_MILESTONES;
  if (lr_sum.milestones == NULL) lr_sum.milestones = lr_ends;
}

/// The last places are for the milestones that end a launch, which decide what is known about it.
static bool lr_has_place(const char *name) {
  return lr_sum.held < lr_sum.places - (ls_ends_launch(name, strlen(name)) ? 0 : LS_ENDING_MILESTONES);
}

bool lr_summary_add_milestone(const char *name, size_t length, uint64_t time, bool *is_kept) {
  lr_summary_entry entry = {.start = time};
  length = lr_cut(name, length, LR_SUMMARY_NAME - 1);
  memcpy(entry.name, name, length);
  entry.name[length] = 0;
  pthread_mutex_lock(&lr_sum.lock);
  bool is_first = true;
  for (uint32_t i = 0; i < lr_sum.held; i++) is_first &= strcmp(lr_sum.milestones[i].name, entry.name) != 0;
  if (is_first && lr_sum.milestones == NULL) lr_make_places();
  *is_kept = is_first && lr_has_place(entry.name);
  if (*is_kept) lr_sum.milestones[lr_sum.held++] = entry;
  pthread_mutex_unlock(&lr_sum.lock);
  return is_first;
}

bool lr_summary_has_end(void) {
  bool has_end = false;
  pthread_mutex_lock(&lr_sum.lock);
  for (uint32_t i = 0; i < lr_sum.held; i++)
    has_end |= ls_ends_first_display(lr_sum.milestones[i].name, strlen(lr_sum.milestones[i].name));
  pthread_mutex_unlock(&lr_sum.lock);
  return has_end;
}

bool lr_summary_is_complete(void) {
  pthread_mutex_lock(&lr_sum.lock);
  bool is_complete = lr_sum.completed != 0;
  pthread_mutex_unlock(&lr_sum.lock);
  return is_complete;
}

bool lr_summary_complete(uint64_t time) {
  pthread_mutex_lock(&lr_sum.lock);
  bool is_first = lr_sum.completed == 0;
  if (is_first) lr_sum.completed = time;
  pthread_mutex_unlock(&lr_sum.lock);
  return is_first;
}

bool lr_summary_time_out(void) {
  pthread_mutex_lock(&lr_sum.lock);
  bool timed_out = lr_sum.timed_out = lr_sum.completed == 0;
  pthread_mutex_unlock(&lr_sum.lock);
  return timed_out;
}

lr_summary lr_summary_get(void) {
  // Another thread may start the recorder, which then finds out when the process started.
  bool has_start = lr_status_get() != LR_STATUS_OFF;
  lr_lock(&lr_sum.lock);
  lr_summary summary = {
      .process_start = has_start ? lr_start_of_process.start : 0,
      .process_start_error = has_start ? lr_start_of_process.error : 0,
      .preinit = lr_is_in_program() ? lr_start_of_process.preinit : 0,
      .main_entry = lr_start_of_process.main_entry,
      .completed = lr_sum.completed,
      .start_from_launcher = lr_start_of_process.from_launcher,
      .timed_out = lr_sum.timed_out,
      .events_dropped = lr_dropped(),
  };
  lr_unlock(&lr_sum.lock);
  return summary;
}

bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry) {
  lr_lock(&lr_sum.lock);
  bool is_held = index < lr_sum.held;
  if (is_held) *entry = lr_sum.milestones[index];
  lr_unlock(&lr_sum.lock);
  return is_held;
}
#endif
