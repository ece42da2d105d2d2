// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// A weak reference: found if the program uses libdispatch, otherwise NULL.
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));

// After an async `main` suspends, the first thread parks for ever, and worker threads run the main queue's work.
static bool lr_runs_main_queue(void) {
  if (dispatch_queue_get_label == NULL) return false;
  const char *label = dispatch_queue_get_label(NULL /* DISPATCH_CURRENT_QUEUE_LABEL */);
  return label && strcmp(label, "com.apple.main-thread") == 0;
}

bool lr_is_main_thread(void) { return lr_thread_id() == lr_current_process() || lr_runs_main_queue(); }

// Without a system call: a writer belongs to a thread of the recording process.
bool lr_runs_main_work(const lr_writer *writer) { return writer->thread == lr_process_id() || lr_runs_main_queue(); }

const char *lr_budget_kind_name(lr_budget_kind kind) {
  return kind == LR_BUDGET_INTERVAL ? LS_BUDGET_INTERVAL : kind == LR_BUDGET_PHASE ? LS_BUDGET_PHASE : LS_BUDGET_MILESTONE;
}

bool lr_first_thread_is_idle(void) {
  char path[64] = "/proc/self/task/";
  size_t length = strlen(path);
  length += lr_decimal(path + length, (uint64_t)lr_current_process());
  memcpy(path + length, "/syscall", sizeof "/syscall");
  int saved = errno, descriptor = open(path, O_RDONLY | O_CLOEXEC);
  char text[32];
  ssize_t got = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
  if (descriptor >= 0) close(descriptor);
  errno = saved;
  // `running`, or the number of the system call and its arguments: proc_pid_syscall(5).
  if (got <= 0 || text[0] < '0' || text[0] > '9') return false;
  text[got] = 0;
  uint64_t call;
  lr_parse_decimal(text, &call);
  static const uint64_t for_events[] = {
#ifdef SYS_poll
      SYS_poll, SYS_select, SYS_epoll_wait,
#endif
      SYS_ppoll, SYS_pselect6, SYS_epoll_pwait, SYS_rt_sigsuspend,
#ifdef SYS_epoll_pwait2
      SYS_epoll_pwait2,
#endif
  };
  for (size_t i = 0; i < sizeof for_events / sizeof for_events[0]; i++)
    if (call == for_events[i]) return true;
  return false;
}

void lr_flag_over_budget(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                         uint64_t end, uint64_t budget, lr_where place) {
  LR_PROBE3("over__budget", name, end - start, budget);
  lr_packet packet;
  size_t bound = 64 + 7 * LR_ANNOTATION + lr_bound(name_length);
  if (!lr_event_open(&packet, writer, end, LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_BUDGET, LR_LITERAL(LS_EVENT_OVER_BUDGET));
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_INTERVAL), name, name_length);
  const char *kind_name = lr_budget_kind_name(kind);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_KIND), kind_name, strlen(kind_name));
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_START_NS), start);
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_DURATION_NS), end - start);
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_BUDGET_NS), budget);
  lr_annotate_uint(&packet, LR_LITERAL(LS_KEY_OVER_NS), end - start - budget);
  if (place == LR_ELSEWHERE) lr_annotate_string(&packet, LR_LITERAL(LS_KEY_PLACE), LR_LITERAL(LS_PLACE_ELSEWHERE));
  if (place == LR_AWAITED) lr_annotate_string(&packet, LR_LITERAL(LS_KEY_PLACE), LR_LITERAL(LS_PLACE_AWAITED));
  lr_event_close(&packet);
}

void lr_flag_work(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                  uint64_t end, bool is_main) {
  lr_budget_value budget = lr_budget_resolve(kind, name, name_length);
  if (end - start <= budget.ns) return;
  lr_where place = is_main ? LR_ON_MAIN_THREAD : LR_ELSEWHERE;
  bool may_be_awaited = kind == LR_BUDGET_INTERVAL && !is_main && !lr_summary_is_complete();
  if (may_be_awaited && lr_first_thread_is_idle() && !lr_main_actor_is_elsewhere()) place = LR_AWAITED;
  if (place == LR_ELSEWHERE && !budget.is_named) return;
  lr_flag_over_budget(writer, kind, name, name_length, start, end, budget.ns, place);
}

void lr_interval_over_budget(const lr_category *category, const char *name, lr_interval interval, uint64_t end) {
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry == NULL) return;
  uint64_t start = interval.deadline - entry->budget;
  lr_flag_work(writer, LR_BUDGET_INTERVAL, name, strlen(name), start, end, lr_runs_main_work(writer));
}
#endif
