#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <string.h>

// A weak reference: found when the program uses libdispatch, NULL otherwise.
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));

// After an async `main` suspends, the first thread parks for ever and the main queue's work runs on worker threads.
bool lr_is_main_thread(void) {
  if (lr_thread_id() == lr_current_process()) return true;
  if (dispatch_queue_get_label == NULL) return false;
  const char *label = dispatch_queue_get_label(NULL /* DISPATCH_CURRENT_QUEUE_LABEL */);
  return label && strcmp(label, "com.apple.main-thread") == 0;
}

const char *lr_budget_kind_name(lr_budget_kind kind) {
  return kind == LR_BUDGET_INTERVAL ? LS_BUDGET_INTERVAL : kind == LR_BUDGET_PHASE ? LS_BUDGET_PHASE : LS_BUDGET_MILESTONE;
}

void lr_flag_over_budget(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                         uint64_t end, uint64_t budget) {
  LR_PROBE3("over__budget", name, end - start, budget);
  lr_summary_add_over_budget(kind, name, name_length, start, end - start, budget);
  lr_packet packet;
  size_t bound = 64 + 6 * LR_ANNOTATION + lr_bound(name_length);
  if (!lr_event_open(&packet, writer, end, LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_BUDGET, LR_LITERAL(LS_EVENT_OVER_BUDGET));
  lr_annotate_string(&packet, LS_KEY_INTERVAL, name, name_length);
  const char *kind_name = lr_budget_kind_name(kind);
  lr_annotate_string(&packet, LS_KEY_KIND, kind_name, strlen(kind_name));
  lr_annotate_uint(&packet, LS_KEY_START_NS, start);
  lr_annotate_uint(&packet, LS_KEY_DURATION_NS, end - start);
  lr_annotate_uint(&packet, LS_KEY_BUDGET_NS, budget);
  lr_annotate_uint(&packet, LS_KEY_OVER_NS, end - start - budget);
  lr_event_close(&packet);
}

void lr_interval_over_budget(lr_interval interval, uint64_t end) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_is_main_thread()) return;
  const char *name = interval.name->name;
  lr_flag_over_budget(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end, interval.name->budget);
}
#endif
