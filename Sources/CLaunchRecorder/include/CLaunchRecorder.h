// The recorder inside the profiled program: clock, trace file, events, phases, static initialisers.
//
// Thread safety: every function may be called from any thread, but not from a signal handler. A call made while not
// recording costs one load and one branch. Kinds are plain integers with named values. Swift would import an enum as a
// type, and every program that links the library would relocate its metadata at launch.
#ifndef CLAUNCH_RECORDER_H
#define CLAUNCH_RECORDER_H

#include <signal.h>

#include "lr_probe.h"
#include "lr_writer.h"

// MARK: Intervals and events on the calling thread

/// An open interval of the calling thread. `writer` is NULL if it is not recorded.
typedef struct lr_interval {
  /// CLOCK_MONOTONIC, ns: the interval is over its budget from this time on.
  uint64_t deadline;
  lr_writer *writer;
} lr_interval;

// The rare cases: no room, a new name, a clock that must be calibrated, not recording. Called as the last step, so that
// the common case saves no registers.
lr_interval lr_interval_begin_slow(const lr_category *category, const char *name);
void lr_interval_end_slow(const lr_category *category, const char *name, lr_interval interval);
void lr_event_slow(const lr_category *category, const char *name);
/// Called if the work took longer than its budget. Flags it if a budget applies to it on its thread.
void lr_interval_over_budget(const lr_category *category, const char *name, lr_interval interval, uint64_t end);

// Always inline: compilers would call a function of this size. The call and its saved registers are a tenth of the
// cost.

static inline bool lr_is_recording(void) { return __atomic_load_n(&lr_recording, __ATOMIC_RELAXED) != 0; }

LR_INLINE lr_interval lr_interval_begin_recording(const lr_category *category, const char *name) {
  lr_writer *writer = lr_current;
  uint8_t *cursor = writer->cursor;
  if (__builtin_expect(cursor >= writer->limit, 0)) return lr_interval_begin_slow(category, name);
  const lr_name *entry = lr_name_place(writer, name, category);
  uint64_t elapsed;
  bool is_common = lr_name_is(entry, name, category) && lr_try_elapsed(writer, &elapsed);
  if (__builtin_expect(!is_common, 0)) return lr_interval_begin_slow(category, name);
  lr_put_record(writer, cursor, elapsed, entry->record);
  return (lr_interval){writer->clock_ns + elapsed + entry->budget, writer};
}

LR_INLINE void lr_interval_end_recording(const lr_category *category, const char *name, lr_interval interval) {
  lr_writer *writer = interval.writer;
  uint8_t *cursor = writer->cursor;
  uint64_t elapsed;
  bool is_common = cursor < writer->limit && lr_try_elapsed(writer, &elapsed);
  if (__builtin_expect(!is_common, 0)) {
    lr_interval_end_slow(category, name, interval);
    return;
  }
  lr_put_end_record(writer, cursor, elapsed);
  uint64_t end = writer->clock_ns + elapsed;
  if (__builtin_expect(end > interval.deadline, 0)) lr_interval_over_budget(category, name, interval, end);
}

static inline void lr_event_recording(const lr_category *category, const char *name) {
  lr_writer *writer = lr_current;
  uint8_t *cursor = writer->cursor;
  if (__builtin_expect(cursor >= writer->limit, 0)) {
    lr_event_slow(category, name);
    return;
  }
  const lr_name *entry = lr_name_place(writer, name, category);
  uint64_t elapsed;
  bool is_common = lr_name_is(entry, name, category) && lr_try_elapsed(writer, &elapsed);
  if (__builtin_expect(is_common, 1)) lr_put_record(writer, cursor, elapsed, entry->record + LR_RECORD_BEGIN_TO_INSTANT);
  else lr_event_slow(category, name);
}

/// Begins an interval that the calling thread ends itself, inner before outer. `name` is permanent and NUL-terminated.
LR_INLINE lr_interval lr_interval_begin(const lr_category *category, const char *name) {
  LR_PROBE3("interval__begin", name, category, 0);
  lr_interval none = {0, NULL};
  if (__builtin_expect(!lr_is_recording(), 1)) return none;
  return lr_interval_begin_recording(category, name);
}

/// Ends an interval on the thread that began it. `category` and `name` are those it began with.
LR_INLINE void lr_interval_end(const lr_category *category, const char *name, lr_interval interval) {
  LR_PROBE3("interval__end", name, category, 0);
  if (__builtin_expect(interval.writer == NULL, 1)) return;
  lr_interval_end_recording(category, name, interval);
}

/// An event: an instant on the calling thread.
LR_INLINE void lr_event(const lr_category *category, const char *name) {
  LR_PROBE3("event", name, category, 0);
  if (__builtin_expect(!lr_is_recording(), 1)) return;
  lr_event_recording(category, name);
}

/// The same with a signpost id (0: exclusive) and a message (`message_length` 0: none).
lr_interval lr_interval_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length);
void lr_event_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                      size_t message_length);

// MARK: Async intervals: a track of their own

/// An interval that may suspend, overlap others, or end on another thread. Calls pass its 16 bytes in two registers.
typedef struct lr_async {
  /// CLOCK_MONOTONIC, ns. Identifies the interval within its lane: a second end finds a later interval, or none.
  uint64_t start;
  /// The address of the interval's lr_lane, as a number, which Swift may pass to another thread. 0 if not recorded.
  uintptr_t lane;
} lr_async;

lr_async lr_async_begin_recording(const lr_category *category, const char *name);
lr_async lr_async_begin_id(const lr_category *category, const char *name, uint64_t signpost_id);
void lr_async_end_recording(const char *name, lr_async interval);
// Handles every case.
lr_async lr_async_begin_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                                size_t message_length);
void lr_async_end_message(const char *name, lr_async interval, const char *message, size_t message_length);

static inline lr_async lr_async_begin(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length) {
  LR_PROBE3("interval__begin", name, category, signpost_id);
  if (__builtin_expect(!lr_is_recording(), 1)) return (lr_async){0, 0};
  if (message_length) return lr_async_begin_message(category, name, signpost_id, message, message_length);
  return signpost_id ? lr_async_begin_id(category, name, signpost_id) : lr_async_begin_recording(category, name);
}

static inline void lr_async_end(const lr_category *category, const char *name, uint64_t signpost_id, lr_async interval,
                                const char *message, size_t message_length) {
  LR_PROBE3("interval__end", name, category, signpost_id);
  if (__builtin_expect(interval.lane == 0, 1)) return;
  if (message_length == 0) lr_async_end_recording(name, interval);
  else lr_async_end_message(name, interval, message, message_length);
}

// MARK: Phases, milestones, tasks, counters, metadata

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

/// Records that a milestone is reached and checks its budget. Only the first of each name counts. Completes the launch
/// according to `lr_options.completion`.
void lr_mark(const char *name, size_t name_length);

/// The same for an instant in the past: CLOCK_MONOTONIC, ns; 0 means now.
void lr_mark_at(const char *name, size_t name_length, uint64_t time);

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
enum { LR_UNIT_COUNT, LR_UNIT_BYTES, LR_UNIT_NS };
void lr_counter(const char *name, size_t name_length, lr_unit unit, double value);
void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length);
/// True if private values go into the trace unredacted (LAUNCHPROF_UNREDACTED=1). Otherwise the trace has only their
/// kind and size.
bool lr_is_unredacted(void);

/// The category for a subsystem and category, made once and kept.
const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length);
/// A permanent NUL-terminated copy of a short string; equal strings give equal pointers. NULL when memory is short.
const char *lr_permanent_string(const char *string, size_t length);

/// A signpost id that no other call has returned.
uint64_t lr_new_signpost_id(void);

// MARK: Stacks of the main thread, for a sampler

/// From now on phases of the main thread publish when they are over budget. In phases that do not suspend, their
/// threads accept the signal. `main_queue_thread` returns the kernel id of the thread that runs the main queue's work,
/// or 0 if none does. Its answers are used once it has been right.
void lr_watch_begin(int signal, int32_t (*main_queue_thread)(void));
/// The phase that the main thread is in.
lr_watched lr_watch(void);

/// The following functions write stacks into the trace. One thread calls them, and the ids belong to its sequence.
/// False: the packet was lost, and counted. Ids begin with 1.
///
/// What one sample represents, in ns of the thread's CPU time or of elapsed time. Written first.
bool lr_write_sample_period(uint64_t period, bool is_cpu_time);
/// An executable or shared library; `path` is absolute.
bool lr_write_image(uint64_t image, const char *path, const uint8_t *build_id, size_t build_id_size);
/// A place in an image: run-time address − load bias. For a caller it lies within the call.
bool lr_write_frame(uint64_t frame, uint64_t image, uint64_t address);
/// Frames of a stack, the outermost first.
bool lr_write_stack(uint64_t stack, const uint32_t *frames, size_t count);
/// A thread (its kernel id) had this stack at `time`.
bool lr_write_sample(uint64_t time, int32_t thread, uint64_t stack);

// MARK: Budgets

typedef uint32_t lr_budget_kind;
enum { LR_BUDGET_INTERVAL, LR_BUDGET_PHASE, LR_BUDGET_MILESTONE };
/// Sets the budget of `name` (`*`: all names without a budget of their own), ns. Names interned earlier keep theirs.
void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns);
/// The same, only for launches with this reason, context and kind; NULL or empty: any. If several match a launch, the
/// most specific one applies.
void lr_budget_set_when(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                        const char *context, const char *launch_kind);
/// The same for a default, the weakest budget: it applies only if no other is set.
void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns);
/// A budget as resolved for this launch from what is known of it so far: docs/budgets.md.
typedef struct lr_budget_value {
  /// ns; UINT64_MAX for none.
  uint64_t ns;
  /// The budget was set for this name, so it applies on every thread.
  bool is_named;
} lr_budget_value;
lr_budget_value lr_budget_resolve(lr_budget_kind kind, const char *name, size_t name_length);
/// Only the budget's value, ns; UINT64_MAX for none.
uint64_t lr_budget_get(lr_budget_kind kind, const char *name, size_t name_length);
/// The budget of a milestone that ends the launch, ns. `ready` has that of `first-frame` if it has none of its own.
uint64_t lr_budget_of_end(const char *milestone, size_t length);
/// Writes all budgets that were set, so that a report can use them.
void lr_write_budgets(void);
/// Reads budgets in the flat form of docs/trace-format.md. Returns 0 or an errno.
int lr_budgets_read(const char *path);

// MARK: Start and stop

typedef uint32_t lr_status;
enum {
  LR_STATUS_OFF,
  LR_STATUS_RECORDING,
  LR_STATUS_STOPPED,
  /// The trace file could not be created: see lr_status_errno.
  LR_STATUS_FAILED,
  /// A fork of a recording process. The parent records, the fork does not.
  LR_STATUS_FORKED,
  LR_STATUS_UNSUPPORTED,
};

typedef uint32_t lr_completion;
enum { LR_COMPLETES_AT_FIRST_FRAME_OR_READY, LR_COMPLETES_AT_FULLY_DRAWN };

typedef struct lr_options {
  /// NULL: record into memory.
  const char *path;
  /// Largest size of the trace, bytes; 0: the default.
  uint64_t limit;
  lr_completion completion;
  bool stops_when_completed;
  /// ns from process start, 0 for none: a launch not complete by then is reported too.
  uint64_t deadline;
  /// Called once: by the thread that reaches the last milestone, or by a thread of the recorder when the deadline
  /// passes. May be NULL.
  void (*completed)(void *context);
  void *context;
} lr_options;

typedef uint32_t lr_start_result;
enum {
  LR_STARTED,
  /// The program has called lr_start before.
  LR_ALREADY_STARTED,
  /// See lr_status_errno.
  LR_CANNOT_CREATE_TRACE,
  LR_NOT_SUPPORTED,
};

/// Begins to record. Once per process. If a launcher has already begun, only the completion is taken over.
lr_start_result lr_start(const lr_options *options);
/// Ends recording and cuts the file's unused tail. Idempotent.
void lr_stop(void);
lr_status lr_status_get(void);
/// Why the trace could not be created.
int lr_status_errno(void);
/// The text of an errno, NUL-terminated.
void lr_error_text(int error, char *text, size_t size);
/// Path of the trace file, NULL if there is none.
const char *lr_trace_path(void);
/// The size of the trace so far, bytes; 0 if there is none.
size_t lr_trace_size(void);
/// Copies the first `size` bytes of the trace, at most lr_trace_size. The copy is a whole trace, even if other threads
/// write meanwhile.
void lr_trace_copy(uint8_t *to, size_t size);
/// CLOCK_MONOTONIC, ns.
uint64_t lr_monotonic_now(void);
/// CLOCK_REALTIME, ns since 1970.
uint64_t lr_wall_clock_now(void);
/// True on the first thread, and on a thread that currently runs the main queue.
bool lr_is_main_thread(void);

// MARK: The main queue, for event loops

/// Readable while work waits on the main queue (the main actor's). -1: the program has no main queue, or the calling
/// thread must not run it.
int lr_main_queue_descriptor(void);
/// Runs the work that waits there. Does nothing where the descriptor is -1.
void lr_main_queue_run(void);

#if defined(__linux__)
// MARK: Signals, for event loops

/// From now on each signal `number` writes its number to `descriptor` as one byte. The descriptor must not block: a
/// byte that finds no room is dropped. One descriptor per signal. Returns false, and changes nothing, for a signal that
/// is ignored or cannot be caught.
bool lr_signal_catch(int number, int descriptor, struct sigaction *former);
/// Restores what `lr_signal_catch` found.
void lr_signal_release(int number, const struct sigaction *former);
#endif

// MARK: Summary

/// A milestone. Phases and intervals are in the trace.
#define LR_SUMMARY_NAME 64
typedef struct lr_summary_entry {
  char name[LR_SUMMARY_NAME];
  uint64_t start;
} lr_summary_entry;

typedef struct lr_summary {
  uint64_t process_start, process_start_error, preinit, main_entry, completed;
  bool start_from_launcher;
  uint64_t events_dropped;
} lr_summary;

#define LR_SUMMARY_CAPACITY 64
lr_summary lr_summary_get(void);
/// The milestone at `index`. False after the last one that is held.
bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry);
/// The entry's name, NUL-terminated.
static inline const char *lr_summary_name(const lr_summary_entry *entry) { return entry->name; }

#endif
