// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

/// What the calling thread has used so far. Costs two system calls, about 0.5 µs: for phases, not for intervals.
static void lr_read_costs(lr_costs *costs) {
  struct rusage usage = {0};
  lr_system(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0);
  // The resources' CPU time is as old as the kernel's last timer tick. The vDSO would ask the kernel, too.
  costs->cpu = lr_clock_ask(CLOCK_THREAD_CPUTIME_ID);
  costs->minor_faults = usage.ru_minflt;
  costs->major_faults = usage.ru_majflt;
  costs->voluntary_switches = usage.ru_nvcsw;
  costs->involuntary_switches = usage.ru_nivcsw;
  costs->read_blocks = usage.ru_inblock;
}

/// A phase that begins sooner than this after the thread's last phase ended takes over what was read then, ns. The work
/// between the two then counts into the second phase: at most this much CPU time.
#define LR_COSTS_AGE 10000

/// What the thread had used when the phase began. Returns the time of its begin.
static uint64_t lr_begin_costs(lr_writer *writer, lr_costs *costs) {
  uint64_t now = lr_now(writer);
  if (now - writer->costs_time < LR_COSTS_AGE) {
    *costs = writer->costs;
    return now;
  }
  lr_read_costs(costs);
  return lr_now(writer);
}

/// Turns what the thread had used at the begin of a phase into what the phase used. That means something only if the phase begins
/// and ends on one thread, and never suspends: meanwhile, the thread does other work.
static void lr_end_costs(lr_writer *writer, lr_costs *costs) {
  lr_costs now;
  lr_read_costs(&now);
  costs->cpu = now.cpu - costs->cpu;
  costs->minor_faults = now.minor_faults - costs->minor_faults;
  costs->major_faults = now.major_faults - costs->major_faults;
  costs->voluntary_switches = now.voluntary_switches - costs->voluntary_switches;
  costs->involuntary_switches = now.involuntary_switches - costs->involuntary_switches;
  costs->read_blocks = now.read_blocks - costs->read_blocks;
  writer->costs = now;
  writer->costs_time = lr_now(writer);
}

/// Room for all costs. The longest key is that of involuntary switches.
#define LR_COSTS (6 * LR_PADDED_ANNOTATION(sizeof LS_KEY_INVOLUNTARY_SWITCHES - 1))
static void lr_annotate_costs(lr_packet *packet, const lr_costs *costs) {
  if ((size_t)(packet->end - packet->at) < LR_COSTS) return;
  uint8_t *at = lr_annotate_padded(packet->at, LR_LITERAL(LS_KEY_CPU_NS), costs->cpu);
  at = lr_annotate_padded(at, LR_LITERAL(LS_KEY_MINOR_FAULTS), (uint64_t)costs->minor_faults);
  at = lr_annotate_padded(at, LR_LITERAL(LS_KEY_MAJOR_FAULTS), (uint64_t)costs->major_faults);
  at = lr_annotate_padded(at, LR_LITERAL(LS_KEY_VOLUNTARY_SWITCHES), (uint64_t)costs->voluntary_switches);
  at = lr_annotate_padded(at, LR_LITERAL(LS_KEY_INVOLUNTARY_SWITCHES), (uint64_t)costs->involuntary_switches);
  // ru_inblock counts units of 512 bytes, getrusage(2).
  packet->at = lr_annotate_padded(at, LR_LITERAL(LS_KEY_READ_BYTES), (uint64_t)costs->read_blocks * 512);
}

lr_phase lr_phase_begin(const char *name, size_t name_length, bool is_async) {
  LR_PROBE1("phase__begin", name);
  lr_phase phase = {.name = NULL, .is_async = is_async};
  if (!lr_is_recording()) return phase;
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return phase;
  phase.is_main = lr_runs_main_work(writer);
  lr_lane *lane = is_async ? lr_lane_take(writer) : NULL;
  if (is_async && lane == NULL) return phase;
  phase.start = is_async ? lr_now(writer) : lr_begin_costs(writer, &phase.costs);
  lr_packet packet;
  size_t bound = 48 + 2 * LR_ANNOTATION + lr_bound(name_length);
  if (!lr_event_open(&packet, writer, phase.start, LR_BEGIN, lane ? lane->track : 0, bound)) {
    if (lane) lr_lane_give(writer, lane);
    return phase;
  }
  lr_event_name(&packet, LS_CATEGORY_PHASE, name, name_length);
  lr_annotate_string(&packet, LR_LITERAL(LS_KEY_SOURCE), LR_LITERAL(LS_SOURCE_API));
  if (phase.is_main && writer->thread != lr_process_id()) lr_annotate_bool(&packet, LR_LITERAL(LS_KEY_MAIN_ACTOR), true);
  lr_event_close(&packet);
  phase.name = name;
  phase.name_length = name_length;
  phase.thread = writer->thread;
  bool is_watched = phase.is_main && __atomic_load_n(&lr_watch_signal, __ATOMIC_ACQUIRE);
  if (is_async) phase.async = lr_lane_interval(writer, lane, phase.start, UINT64_MAX);
  if (is_watched && is_async) lr_watch_enter_async(&phase);
  else if (is_watched) lr_watch_enter(&phase);
  return phase;
}

static void lr_phase_write_end(lr_writer *writer, lr_phase *phase, uint64_t end, bool has_costs) {
  lr_packet packet;
  uint64_t track = phase->is_async ? lr_lane_of(phase->async)->track : 0;
  if (phase->is_async && !lr_lane_claim_end(phase->async)) return;
  // A lane whose end could not be written stays taken: the next interval on it would appear nested in it.
  if (!lr_event_open(&packet, writer, end, LR_END, track, LR_COSTS)) return;
  if (has_costs) lr_annotate_costs(&packet, &phase->costs);
  lr_event_close(&packet);
  if (phase->is_async) lr_lane_give(writer, lr_lane_of(phase->async));
}

void lr_phase_end(lr_phase *phase) {
  LR_PROBE1("phase__end", phase->name);
  if (phase->name == NULL) return;
  lr_watch_leave(phase);
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  bool has_costs = !phase->is_async && phase->thread == writer->thread;
  uint64_t end = lr_now(writer);
  if (has_costs) lr_end_costs(writer, &phase->costs);
  lr_phase_write_end(writer, phase, end, has_costs);
  lr_flag_work(writer, LR_BUDGET_PHASE, phase->name, phase->name_length, phase->start, end, phase->is_main);
  phase->name = NULL;
}

static bool lr_extended_has_ended;
void lr_end_extended_launch(void) { __atomic_store_n(&lr_extended_has_ended, true, __ATOMIC_RELAXED); }

static bool lr_is_too_late(const char *name, size_t name_length) {
  return __atomic_load_n(&lr_extended_has_ended, __ATOMIC_RELAXED) && ls_is(LS_MILESTONE_FULLY_DRAWN, name, name_length);
}

void lr_mark(const char *name, size_t name_length) { lr_mark_at(name, name_length, 0); }

static void lr_mark_recording(const char *name, size_t name_length, uint64_t time) {
  if (lr_is_too_late(name, name_length)) return;
  lr_writer *writer = lr_writer_or_none();
  // The milestone counts even if the trace has no room for it. In a fork, nothing is recorded any more.
  if (writer == NULL && !lr_is_recording()) return;
  uint64_t now = time ? time : writer ? lr_now(writer) : lr_monotonic_now();
  uint64_t budget = lr_summary_has_end() ? lr_budget_get(LR_BUDGET_MILESTONE, name, name_length)
                                         : lr_budget_of_end(name, name_length);
  bool is_kept, is_first = lr_summary_add_milestone(name, name_length, now, &is_kept);
  lr_write_mark(name, name_length, now, is_kept);
  uint64_t start = lr_start_of_process.start;
  if (is_first && writer && now - start > budget)
    lr_flag_over_budget(writer, LR_BUDGET_MILESTONE, name, name_length, start, now, budget, LR_ON_MAIN_THREAD);
  lr_complete_at(name, name_length, now);
}

void lr_mark_at(const char *name, size_t name_length, uint64_t time) {
  LR_PROBE1("mark", name);
  if (lr_is_recording()) lr_mark_recording(name, name_length, time);
  lr_deferred_reach(name, name_length);
}
#endif
