#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  uint32_t phase_count, milestone_count, over_budget_count;
  uint64_t completed;
  lr_summary_entry phases[LR_SUMMARY_CAPACITY], milestones[LR_SUMMARY_CAPACITY], over_budget[LR_SUMMARY_CAPACITY];
} lr_sum = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lr_entry_name(lr_summary_entry *entry, const char *name, size_t length) {
  length = lr_cut(name, length, LR_SUMMARY_NAME - 1);
  memcpy(entry->name, name, length);
  entry->name[length] = 0;
}

static void lr_add(lr_summary_entry *entries, uint32_t *count, lr_summary_entry entry, const char *name,
                   size_t length) {
  pthread_mutex_lock(&lr_sum.lock);
  if (*count < LR_SUMMARY_CAPACITY) {
    lr_entry_name(&entry, name, length);
    entries[*count] = entry;
  }
  (*count)++;
  pthread_mutex_unlock(&lr_sum.lock);
}

void lr_summary_add_phase(const char *name, size_t length, uint64_t start, uint64_t duration, uint64_t cpu,
                          uint64_t budget) {
  lr_summary_entry entry = {
      .start = start, .duration = duration, .cpu = cpu, .budget = budget, .kind = LR_BUDGET_PHASE};
  lr_add(lr_sum.phases, &lr_sum.phase_count, entry, name, length);
}

void lr_summary_add_over_budget(lr_budget_kind kind, const char *name, size_t length, uint64_t start, uint64_t duration,
                                uint64_t budget) {
  lr_summary_entry entry = {.start = start, .duration = duration, .budget = budget, .kind = kind};
  lr_add(lr_sum.over_budget, &lr_sum.over_budget_count, entry, name, length);
}

bool lr_summary_add_milestone(const char *name, size_t length, uint64_t time, uint64_t budget) {
  lr_summary_entry entry = {.start = time, .budget = budget, .kind = LR_BUDGET_MILESTONE};
  lr_entry_name(&entry, name, length);
  pthread_mutex_lock(&lr_sum.lock);
  uint32_t held = lr_sum.milestone_count < LR_SUMMARY_CAPACITY ? lr_sum.milestone_count : LR_SUMMARY_CAPACITY;
  bool is_first = true;
  for (uint32_t i = 0; i < held; i++) is_first &= strcmp(lr_sum.milestones[i].name, entry.name) != 0;
  if (is_first && held < LR_SUMMARY_CAPACITY) lr_sum.milestones[held] = entry;
  lr_sum.milestone_count += is_first;
  pthread_mutex_unlock(&lr_sum.lock);
  return is_first;
}

bool lr_summary_complete(uint64_t time) {
  pthread_mutex_lock(&lr_sum.lock);
  bool is_first = lr_sum.completed == 0;
  if (is_first) lr_sum.completed = time;
  pthread_mutex_unlock(&lr_sum.lock);
  return is_first;
}

lr_summary lr_summary_get(void) {
  pthread_mutex_lock(&lr_sum.lock);
  lr_summary summary = {
      .process_start = lr_start_of_process.start,
      .process_start_error = lr_start_of_process.error,
      .preinit = lr_start_of_process.preinit,
      .main_entry = lr_start_of_process.main_entry,
      .completed = lr_sum.completed,
      .start_from_launcher = lr_start_of_process.from_launcher,
      .events_dropped = lr_dropped(),
      .phase_count = lr_sum.phase_count,
      .milestone_count = lr_sum.milestone_count,
      .over_budget_count = lr_sum.over_budget_count,
  };
  pthread_mutex_unlock(&lr_sum.lock);
  return summary;
}

static bool lr_copy(const lr_summary_entry *entries, const uint32_t *count, uint32_t index, lr_summary_entry *entry) {
  pthread_mutex_lock(&lr_sum.lock);
  bool is_held = index < *count && index < LR_SUMMARY_CAPACITY;
  if (is_held) *entry = entries[index];
  pthread_mutex_unlock(&lr_sum.lock);
  return is_held;
}

bool lr_summary_phase(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(lr_sum.phases, &lr_sum.phase_count, index, entry);
}

bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(lr_sum.milestones, &lr_sum.milestone_count, index, entry);
}

bool lr_summary_over_budget(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(lr_sum.over_budget, &lr_sum.over_budget_count, index, entry);
}
#endif
