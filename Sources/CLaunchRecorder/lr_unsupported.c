// SPDX-License-Identifier: Apache-2.0

// On platforms without a recorder (Apple platforms use OSSignposter), no call records anything.
#if !defined(__linux__)
#include "CLaunchRecorder.h"

int lr_recording;
lr_writer lr_no_writer;
_Thread_local lr_writer *lr_current = &lr_no_writer;

lr_writer *lr_writer_slow(void) { return NULL; }
uint64_t lr_clock_slow(lr_writer *writer) { (void)writer; return 0; }
const lr_name *lr_name_slow(lr_writer *writer, const char *name, const lr_category *category) {
  (void)writer; (void)name; (void)category;
  return NULL;
}
lr_interval lr_interval_begin_slow(const lr_category *category, const char *name) {
  (void)category; (void)name;
  return (lr_interval){0, NULL};
}
void lr_interval_end_slow(const lr_category *category, const char *name, lr_interval interval) {
  (void)category; (void)name; (void)interval;
}
void lr_event_slow(const lr_category *category, const char *name) { (void)category; (void)name; }
void lr_interval_over_budget(const lr_category *category, const char *name, lr_interval interval, uint64_t end) {
  (void)category; (void)name; (void)interval; (void)end;
}
lr_phase lr_phase_begin(const char *name, size_t name_length, bool is_async) {
  (void)name; (void)name_length; (void)is_async;
  return (lr_phase){0};
}
void lr_phase_end(lr_phase *phase) { (void)phase; }
void lr_mark(const char *name, size_t name_length) { (void)name; (void)name_length; }
void lr_mark_at(const char *name, size_t name_length, uint64_t time) { (void)name; (void)name_length; (void)time; }
bool lr_defer(int32_t priority, void (*work)(void *context), void *context) {
  (void)priority; (void)work; (void)context;
  return false;
}
void lr_screen_begin(const char *name, size_t name_length) { (void)name; (void)name_length; }
void lr_screen_end(uint64_t time) { (void)time; }
bool lr_task_begin(const char *name, size_t name_length, lr_async *task) {
  (void)name; (void)name_length;
  *task = (lr_async){0};
  return false;
}
void lr_task_end(lr_async task) { (void)task; }
void lr_counter(const char *name, size_t name_length, lr_unit unit, double value) {
  (void)name; (void)name_length; (void)unit; (void)value;
}
void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length) {
  (void)key; (void)key_length; (void)value; (void)value_length;
}
bool lr_is_unredacted(void) { return false; }
void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns) {
  (void)kind; (void)name; (void)name_length; (void)ns;
}
void lr_budget_set_when(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                        const char *context, const char *launch_kind) {
  (void)kind, (void)name, (void)name_length, (void)ns, (void)reason, (void)context, (void)launch_kind;
}
void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns) {
  (void)kind; (void)name; (void)name_length; (void)ns;
}
lr_budget_value lr_budget_resolve(lr_budget_kind kind, const char *name, size_t name_length) {
  (void)kind; (void)name; (void)name_length;
  return (lr_budget_value){UINT64_MAX, false};
}
uint64_t lr_budget_of_end(const char *milestone, size_t length) { (void)milestone; (void)length; return UINT64_MAX; }
void lr_write_budgets(void) {}
int lr_main_queue_descriptor(void) { return -1; }
void lr_main_queue_run(void) {}
lr_start_result lr_start(const lr_options *options) { (void)options; return LR_NOT_SUPPORTED; }
void lr_stop(void) {}
lr_status lr_status_get(void) { return LR_STATUS_UNSUPPORTED; }
int lr_status_errno(void) { return 0; }
void lr_error_text(int error, char *text, size_t size) { (void)error; if (size) text[0] = 0; }
uint64_t lr_wall_clock_now(void) { return 0; }
const char *lr_trace_path(void) { return NULL; }
size_t lr_trace_size(void) { return 0; }
void lr_trace_copy(uint8_t *to, size_t size) { (void)to; (void)size; }
bool lr_is_main_thread(void) { return false; }
lr_summary lr_summary_get(void) { return (lr_summary){0}; }
bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry) { (void)index; (void)entry; return false; }
#endif
