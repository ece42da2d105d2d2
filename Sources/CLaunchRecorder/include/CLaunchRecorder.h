// The recorder inside the profiled program: clock, trace file, events, phases, static initialisers.
//
// Thread safety: every function may be called from any thread; none from a signal handler.
// A call made while not recording costs one load and one branch. Kinds are plain integers with named values: an enum would
// be a type to Swift, whose metadata every program that links the library relocates at its launch.
#ifndef CLAUNCH_RECORDER_H
#define CLAUNCH_RECORDER_H

#include <signal.h>

#include "lr_probe.h"
#include "lr_writer.h"

// MARK: Intervals and events on the calling thread

/// An open interval of the calling thread. `writer` is NULL when it is not recorded.
typedef struct lr_interval {
  /// CLOCK_MONOTONIC, ns: from then on it is over its budget.
  uint64_t deadline;
  lr_writer *writer;
} lr_interval;

// What is not the common case: no room, a new name, a clock that must be calibrated, no recording. Called last, so that the common
// case saves no registers.
lr_interval lr_interval_begin_slow(const lr_category *category, const char *name);
void lr_interval_end_slow(const lr_category *category, const char *name, lr_interval interval);
void lr_event_slow(const lr_category *category, const char *name);
/// The work took longer than its budget: flags it if a budget holds for it where it ran.
void lr_interval_over_budget(const lr_category *category, const char *name, lr_interval interval, uint64_t end);

// Always inline: compilers would call what is as large, and a call and the registers saved for it are a tenth of the cost.

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

/// Begins an interval that the calling thread ends itself, inner before outer. `name` is permanent, NUL-terminated.
LR_INLINE lr_interval lr_interval_begin(const lr_category *category, const char *name) {
  LR_PROBE3("interval__begin", name, category, 0);
  lr_interval none = {0, NULL};
  if (__builtin_expect(!lr_is_recording(), 1)) return none;
  return lr_interval_begin_recording(category, name);
}

/// Ends it, on the thread that began it. `category` and `name` are those of its beginning.
LR_INLINE void lr_interval_end(const lr_category *category, const char *name, lr_interval interval) {
  LR_PROBE3("interval__end", name, category, 0);
  if (__builtin_expect(interval.writer == NULL, 1)) return;
  lr_interval_end_recording(category, name, interval);
}

/// A point in time on the calling thread.
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

/// An interval that may suspend, overlap others, or end on another thread. Sixteen bytes, which calls hand over in two registers.
typedef struct lr_async {
  /// CLOCK_MONOTONIC, ns. Tells the intervals of its lane apart: a second end finds another one, or none.
  uint64_t start;
  /// The address of its lr_lane, as a number, which Swift may hand to another thread. 0 when it is not recorded.
  uintptr_t lane;
} lr_async;

lr_async lr_async_begin_recording(const lr_category *category, const char *name);
lr_async lr_async_begin_id(const lr_category *category, const char *name, uint64_t signpost_id);
void lr_async_end_recording(const char *name, lr_async interval);
// Of any shape.
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

/// When the work that the main thread does is over budget, and which thread does it.
typedef struct lr_watched {
  /// CLOCK_MONOTONIC, ns; UINT64_MAX: it is in no phase.
  uint64_t deadline;
  /// Its kernel id; 0: the main actor has left the first thread, and no thread runs it at the moment.
  int32_t thread;
  /// Changes when a phase that does not suspend begins or ends.
  uint32_t turn;
  /// The thread is in such a phase.
  bool is_held;
} lr_watched;

/// An open phase. `name` is NULL when nothing is recorded.
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
  /// Of one that may suspend: its place among those that are watched, from 1; 0 for none.
  uint8_t watch;
  /// What was watched before it.
  lr_watched outer;
  /// Before its end: what the thread had used when it began.
  lr_costs costs;
} lr_phase;

/// Begins a phase. `name` must live until its end. A phase that may suspend (`is_async`) has a track of its own.
lr_phase lr_phase_begin(const char *name, size_t name_length, bool is_async);
void lr_phase_end(lr_phase *phase);

/// Records that a milestone is reached and tests its budget. The first one of a name counts. Completes the launch as
/// `lr_options.completion` says.
void lr_mark(const char *name, size_t name_length);

/// The same for a point in time that is over: CLOCK_MONOTONIC, ns; 0 is now.
void lr_mark_at(const char *name, size_t name_length, uint64_t time);

/// Keeps `work` until the first frame was presented, or the program is ready; it is then called with `context` on the thread
/// that said so, the highest priority first. False when that is over already (or memory is short): nothing is kept.
/// Works whether or not anything is recorded.
bool lr_defer(int32_t priority, void (*work)(void *context), void *context);

/// What the person sees until the first frame: an interval on a track of its own, from the start of the process on. Once a
/// process. `name` says what was shown and may be empty.
void lr_screen_begin(const char *name, size_t name_length);
/// Ends it; `time` as for lr_mark_at.
void lr_screen_end(uint64_t time);

/// An extended launch task: an interval of its own by a run-time name (at most 128 bytes, at most 16 open at once).
/// Returns false, and records nothing, beyond that.
bool lr_task_begin(const char *name, size_t name_length, lr_async *task);
void lr_task_end(lr_async task);

typedef uint32_t lr_unit;
enum { LR_UNIT_COUNT, LR_UNIT_BYTES, LR_UNIT_NS };
void lr_counter(const char *name, size_t name_length, lr_unit unit, double value);
void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length);
/// True when the person who records wants private values in the trace (LAUNCHPROF_UNREDACTED=1), which else has their kind
/// and size.
bool lr_is_unredacted(void);

/// The category for a subsystem and category, made once and kept.
const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length);
/// A permanent NUL-terminated copy of a short string; equal strings give equal pointers. NULL when memory is short.
const char *lr_permanent_string(const char *string, size_t length);

/// A signpost id that no other call has returned.
uint64_t lr_new_signpost_id(void);

// MARK: Stacks of the main thread, for a sampler

/// From now on phases of the main thread say when they are over budget. In those that do not suspend their threads accept
/// the signal. `main_queue_thread` says which thread runs the main queue's work (its kernel id), 0 while none does; what it
/// says is used once it has been right.
void lr_watch_begin(int signal, int32_t (*main_queue_thread)(void));
/// What the main thread is in.
lr_watched lr_watch(void);

/// The following write stacks into the trace; they are for one thread, whose sequence the ids belong to. False: it was lost,
/// and counted. Ids begin with 1.
///
/// What one sample stands for, ns; of the thread's CPU time, or of time. Written first.
bool lr_write_sample_period(uint64_t period, bool is_cpu_time);
/// An executable or shared library; `path` is absolute.
bool lr_write_image(uint64_t image, const char *path, const uint8_t *build_id, size_t build_id_size);
/// A place in an image: run time − load bias; that of a caller lies within the call.
bool lr_write_frame(uint64_t frame, uint64_t image, uint64_t address);
/// Frames of a stack, the outermost first.
bool lr_write_stack(uint64_t stack, const uint32_t *frames, size_t count);
/// A thread (its kernel id) had this stack at `time`.
bool lr_write_sample(uint64_t time, int32_t thread, uint64_t stack);

// MARK: Budgets

typedef uint32_t lr_budget_kind;
enum { LR_BUDGET_INTERVAL, LR_BUDGET_PHASE, LR_BUDGET_MILESTONE };
/// Sets the budget of `name` (`*`: all that have none of their own), ns. Names interned earlier keep theirs.
void lr_budget_set(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns);
/// The same for launches of a reason, a context and a kind only; NULL or empty: any. Of what fits a launch, that which asks
/// for the most counts.
void lr_budget_set_when(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns, const char *reason,
                        const char *context, const char *launch_kind);
/// The same, unless anybody set that budget: the weakest.
void lr_budget_set_default(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns);
/// A budget as it is resolved for this launch, by what is known of it so far: docs/budgets.md.
typedef struct lr_budget_value {
  /// ns; UINT64_MAX for none.
  uint64_t ns;
  /// Somebody set it for this name: then it holds on every thread.
  bool is_named;
} lr_budget_value;
lr_budget_value lr_budget_resolve(lr_budget_kind kind, const char *name, size_t name_length);
/// The budget alone, ns; UINT64_MAX for none.
uint64_t lr_budget_get(lr_budget_kind kind, const char *name, size_t name_length);
/// The budget of a milestone that ends the launch, ns: `ready` has that of `first-frame` if it has none of its own.
uint64_t lr_budget_of_end(const char *milestone, size_t length);
/// Writes all budgets that were set, so that a report judges by them.
void lr_write_budgets(void);
/// Reads budgets in the flat form of docs/trace-format.md. Returns 0 or an errno.
int lr_budgets_read(const char *path);

// MARK: Start and stop

typedef uint32_t lr_status;
enum {
  LR_STATUS_OFF,
  LR_STATUS_RECORDING,
  LR_STATUS_STOPPED,
  /// The trace file could not be made: see lr_status_errno.
  LR_STATUS_FAILED,
  /// A fork of a recording process: its parent records, it does not.
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
  /// ns from process start, 0 for none: a launch that is not complete by then is told of, too.
  uint64_t deadline;
  /// Called once: by the thread that reaches the last milestone, or by one of the recorder's when the deadline has passed.
  /// May be NULL.
  void (*completed)(void *context);
  void *context;
} lr_options;

typedef uint32_t lr_start_result;
enum {
  LR_STARTED,
  /// The program has called it before.
  LR_ALREADY_STARTED,
  /// See lr_status_errno.
  LR_CANNOT_CREATE_TRACE,
  LR_NOT_SUPPORTED,
};

/// Begins to record. Once a process. When a launcher has begun already, only the completion is taken over.
lr_start_result lr_start(const lr_options *options);
/// Ends recording and cuts the file's unused tail. Idempotent.
void lr_stop(void);
lr_status lr_status_get(void);
/// Why the trace could not be made.
int lr_status_errno(void);
/// The text of an errno, NUL-terminated.
void lr_error_text(int error, char *text, size_t size);
/// Path of the trace file, NULL when there is none.
const char *lr_trace_path(void);
/// The trace so far: `*size` bytes at the returned address, valid for the life of the process. NULL when there is none.
const uint8_t *lr_trace_bytes(size_t *size);
/// CLOCK_MONOTONIC, ns.
uint64_t lr_monotonic_now(void);
/// CLOCK_REALTIME, ns since 1970.
uint64_t lr_wall_clock_now(void);
/// True on the first thread, and on a thread that runs the main queue at the moment.
bool lr_is_main_thread(void);

// MARK: The main queue, for event loops

/// Readable while work waits on the main queue (the main actor's). -1: the program has none, or the calling thread must
/// not run it.
int lr_main_queue_descriptor(void);
/// Runs what waits there. Does nothing where the descriptor is -1.
void lr_main_queue_run(void);

#if defined(__linux__)
// MARK: Signals, for event loops

/// From now on the number of each signal `number` is written to `descriptor`, as one byte; a descriptor that does not block,
/// since what finds no room is left out. False, and nothing has changed, for a signal that is ignored or cannot be caught.
/// One descriptor a signal.
bool lr_signal_catch(int number, int descriptor, struct sigaction *former);
/// Puts back what `lr_signal_catch` found.
void lr_signal_release(int number, const struct sigaction *former);
#endif

// MARK: Summary

/// A milestone. Phases and intervals stand in the trace.
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
/// The milestone at `index`. False behind the last one that is held.
bool lr_summary_milestone(uint32_t index, lr_summary_entry *entry);
/// The entry's name, NUL-terminated.
static inline const char *lr_summary_name(const lr_summary_entry *entry) { return entry->name; }

#endif
