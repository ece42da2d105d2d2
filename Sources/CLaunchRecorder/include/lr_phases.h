// SPDX-License-Identifier: Apache-2.0

// Phases, milestones, tasks, counters, metadata.
#ifndef LR_PHASES_H
#define LR_PHASES_H

#include "lr_intervals.h"

LR_C_BEGIN

/// When the main thread's work is over budget, and which thread does that work.
typedef struct lr_watched {
  /// CLOCK_MONOTONIC, ns; UINT64_MAX: the work is in no phase.
  uint64_t deadline;
  /// The thread's kernel id. 0: the main actor has left the first thread, and no thread runs it at the moment.
  int32_t thread;
  /// Changes when a phase that does not suspend begins or ends.
  uint32_t turn;
  /// The thread is in a phase that does not suspend.
  bool is_held;
} lr_watched;

/// An open phase. `name` is NULL if nothing is recorded.
typedef struct lr_phase {
  const char *name;
  size_t name_length;
  uint64_t start;
  lr_async async;
  /// Kernel id of the thread that began it.
  int32_t thread;
  bool is_async;
  bool is_main;
  bool is_watched;
  bool was_signal_blocked;
  /// For a phase that may suspend: its slot among the watched ones, counted from 1; 0 for none.
  uint8_t watch;
  /// What was watched before this phase.
  lr_watched outer;
  /// Before its end: what the thread had used when it began.
  lr_costs costs;
} lr_phase;

/// Begins a phase. `name` must live until the phase ends. A phase that may suspend (`is_async`) has its own track.
lr_phase lr_phase_begin(const char *name, size_t name_length, bool is_async);
void lr_phase_end(lr_phase *phase);

#pragma GCC visibility push(hidden)

/// Records that a milestone is reached and checks its budget. Only the first of each name counts. Completes the launch
/// according to `lr_options.completion`.
void lr_mark(const char *name, size_t name_length);

/// As lr_mark, for an instant in the past: CLOCK_MONOTONIC, ns; 0 means now.
void lr_mark_at(const char *name, size_t name_length, uint64_t time);

/// Ends the extended launch: `fully-drawn` does not count any more.
void lr_end_extended_launch(void);

/// Keeps `work` until the first frame is presented or the program is ready. The thread that reports this milestone then
/// calls it with `context`, highest priority first. Returns false, and keeps nothing, if the milestone has passed or
/// memory is short. Works whether or not anything is recorded.
bool lr_defer(int32_t priority, void (*work)(void *context), void *context);

/// What the user sees until the first frame: an interval on its own track, from the start of the process. At most once
/// per process. `name` says what is shown and may be empty.
void lr_screen_begin(const char *name, size_t name_length);
/// Ends it; `time` as for lr_mark_at.
void lr_screen_end(uint64_t time);

/// An extended launch task: an interval of its own with a name made at run time (at most 128 bytes, at most 16 open at
/// once). Beyond that it returns false and records nothing.
bool lr_task_begin(const char *name, size_t name_length, lr_async *task);
void lr_task_end(lr_async task);

typedef uint32_t lr_unit;
/// As CounterDescriptor.Unit of Perfetto.
enum { LR_UNIT_NS = 1, LR_UNIT_COUNT, LR_UNIT_BYTES };
void lr_counter(const char *name, size_t name_length, lr_unit unit, double value);
void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length);
/// True if private values go into the trace unredacted (LAUNCHPROF_UNREDACTED=1). Otherwise the trace has only their
/// kind and size.
bool lr_is_unredacted(void);

#pragma GCC visibility pop

LR_C_END

#endif
