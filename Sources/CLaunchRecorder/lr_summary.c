#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

/// The first of each kind are held; all are counted.
typedef struct lr_entries {
  uint32_t count;
  /// Room for LR_SUMMARY_CAPACITY once there is one.
  lr_summary_entry *held;
} lr_entries;

static struct {
  pthread_mutex_t lock;
  lr_entries phases, milestones, over_budget;
  uint64_t completed;
} lr_sum = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lr_entry_name(lr_summary_entry *entry, const char *name, size_t length) {
  length = lr_cut(name, length, LR_SUMMARY_NAME - 1);
  memcpy(entry->name, name, length);
  entry->name[length] = 0;
}

static uint32_t lr_held(const lr_entries *entries) {
  if (entries->held == NULL) return 0;
  return entries->count < LR_SUMMARY_CAPACITY ? entries->count : LR_SUMMARY_CAPACITY;
}

/// The caller holds the lock.
static void lr_append(lr_entries *entries, const lr_summary_entry *entry) {
  if (entries->count == 0) entries->held = lr_zeroed(LR_SUMMARY_CAPACITY * sizeof *entries->held);
  if (entries->held && entries->count < LR_SUMMARY_CAPACITY) entries->held[entries->count] = *entry;
  entries->count++;
}

static void lr_add(lr_entries *entries, lr_summary_entry entry, const char *name, size_t length) {
  lr_entry_name(&entry, name, length);
  pthread_mutex_lock(&lr_sum.lock);
  lr_append(entries, &entry);
  pthread_mutex_unlock(&lr_sum.lock);
}

void lr_summary_add_phase(const char *name, size_t length, uint64_t start, uint64_t duration, uint64_t cpu,
                          uint64_t budget) {
  lr_summary_entry entry = {
      .start = start, .duration = duration, .cpu = cpu, .budget = budget, .kind = LR_BUDGET_PHASE};
  lr_add(&lr_sum.phases, entry, name, length);
}

void lr_summary_add_over_budget(lr_budget_kind kind, const char *name, size_t length, uint64_t start, uint64_t duration,
                                uint64_t budget) {
  lr_summary_entry entry = {.start = start, .duration = duration, .budget = budget, .kind = kind};
  lr_add(&lr_sum.over_budget, entry, name, length);
}

bool lr_summary_add_milestone(const char *name, size_t length, uint64_t time, uint64_t budget) {
  lr_summary_entry entry = {.start = time, .budget = budget, .kind = LR_BUDGET_MILESTONE};
  lr_entry_name(&entry, name, length);
  pthread_mutex_lock(&lr_sum.lock);
  bool is_first = true;
  for (uint32_t i = 0; i < lr_held(&lr_sum.milestones); i++)
    is_first &= strcmp(lr_sum.milestones.held[i].name, entry.name) != 0;
  if (is_first) lr_append(&lr_sum.milestones, &entry);
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
      .phase_count = lr_sum.phases.count,
      .milestone_count = lr_sum.milestones.count,
      .over_budget_count = lr_sum.over_budget.count,
  };
  pthread_mutex_unlock(&lr_sum.lock);
  return summary;
}

static bool lr_copy(const lr_entries *entries, uint32_t index, lr_summary_entry *entry) {
  pthread_mutex_lock(&lr_sum.lock);
  bool is_held = index < lr_held(entries);
  if (is_held) *entry = entries->held[index];
  pthread_mutex_unlock(&lr_sum.lock);
  return is_held;
}

bool lr_summary_phase(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(&lr_sum.phases, index, entry);
}

bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(&lr_sum.milestones, index, entry);
}

bool lr_summary_over_budget(uint32_t index, lr_summary_entry *entry) {
  return lr_copy(&lr_sum.over_budget, index, entry);
}
#endif
