// SPDX-License-Identifier: Apache-2.0

// What the recorder's own files share.
#ifndef LR_RECORDER_H
#define LR_RECORDER_H

#include "../CLaunchSchema/CLaunchSchema.h"
#include "include/CLaunchRecorder.h"
#include "lr_packet.h"
#include "lr_system.h"

#include <pthread.h>

// Hidden, as in the other headers of this folder: a program that links the standard library statically exports all that
// is not hidden, and Swift's runtime walks its exported names at every start.
#pragma GCC visibility push(hidden)

// What the recorder writes to at start-up goes beside the data that the loader has relocated. In .bss it might be the
// only data on a page: one more page fault.
#if defined(__clang__) && defined(__ELF__)
#pragma clang section bss = ".data"
#endif

/// Data stored before a category's name.
typedef struct lr_category_head {
  /// 1…127; 0 if there are more categories than ids.
  uint32_t id;
  uint32_t length;
  /// The next one in the list of its bucket.
  const struct lr_category_head *next;
} lr_category_head;

static inline const lr_category_head *lr_category_head_of(const lr_category *category) {
  return (const lr_category_head *)(const void *)category - 1;
}
static inline uint32_t lr_category_id(const lr_category *category) { return lr_category_head_of(category)->id; }

/// The size of the filler's head for the rest of a chunk. It stays when the chunk is full.
#define LR_REST 8
/// True if a record of `size` bytes and the filler after it fit into the chunk.
static inline bool lr_writer_has_room(const lr_writer *writer, size_t size) {
  return (size_t)(writer->end - writer->cursor) >= size + LR_REST;
}
/// Makes room for a record of `size` bytes, in a new chunk if needed.
bool lr_writer_make_room(lr_writer *writer, size_t size);
/// As lr_writer_make_room. False: counted as dropped.
bool lr_writer_reserve(lr_writer *writer, size_t size);
/// As lr_writer_get, but a missing writer does not count as a lost event.
lr_writer *lr_writer_or_none(void);
/// The calling thread's writer, with room or without; NULL if it has none.
lr_writer *lr_own_writer(void);
/// The sequence of the first thread.
#define LR_FIRST_SEQUENCE 1u
/// May be called when `lr_writer_get` returned NULL: an event was lost.
void lr_count_dropped(uint64_t count);
uint64_t lr_dropped(void);
/// Sets where the trace holds the count of lost events.
void lr_show_dropped_at(uint64_t *double_bits);
/// As lr_stop, for a program that exits: its launch ends with the recording.
void lr_stop_at_exit(void);
/// True in the process that began to record, false in its forks.
bool lr_is_recording_process(void);
/// True in a fork of the process that began to record. Asks no system call.
bool lr_is_fork(void);
/// Locks what the recording process changes, for a function that may be called in a fork. A fork needs no lock, because
/// its own threads change nothing. It must not take one: a thread that it does not have may hold it for ever.
static inline void lr_lock(pthread_mutex_t *lock) {
  if (!lr_is_fork()) pthread_mutex_lock(lock);
}
static inline void lr_unlock(pthread_mutex_t *lock) {
  if (!lr_is_fork()) pthread_mutex_unlock(lock);
}
/// As lr_is_main_thread, for the thread that owns the writer.
bool lr_runs_main_work(const lr_writer *writer);
/// As lr_put_record, for a given time (CLOCK_MONOTONIC, ns).
void lr_put_record_at(lr_writer *writer, uint64_t ns, uint64_t record);
/// Makes the calling thread's writer, the first one of this process. NULL on failure: see lr_writer_error.
lr_writer *lr_writer_start(void);
/// The writer for what the main thread did before recording began. If another thread has called lr_writer_start, it is a
/// new one, which the main thread takes over when it records something itself: so only before lr_recording is set. Without
/// room for it, it is the calling thread's. NULL before lr_writer_start.
lr_writer *lr_writer_for_main(void);
/// Why the first thread has no writer, an errno. LR_NO_WIPE_ON_FORK: the kernel cannot keep a fork out of the writer's memory
/// (MADV_WIPEONFORK, Linux 4.14).
int lr_writer_error(void);
/// The path by which the program was executed, while only the recorder has run; otherwise NULL.
const char *lr_program_at_start(void);
/// The interning id in a name's record.
uint64_t lr_name_iid(const lr_name *name);
int32_t lr_process_id(void);

/// Writes `value` in decimal, at most twenty digits and no NUL; returns how many. (The first use of snprintf costs
/// microseconds.)
static inline size_t lr_decimal(char *text, uint64_t value) {
  size_t count = 1;
  for (uint64_t rest = value; rest >= 10; rest /= 10) count++;
  for (size_t at = count; at > 0; value /= 10) text[--at] = (char)('0' + value % 10);
  return count;
}

/// Reads decimal digits; returns the address after them.
static inline const char *lr_parse_decimal(const char *text, uint64_t *value) {
  *value = 0;
  while (*text >= '0' && *text <= '9') *value = *value * 10 + (uint64_t)(*text++ - '0');
  return text;
}

/// Zeroed memory for a table that only a recording needs, which is never freed; NULL if there is none. Not in .bss,
/// which would move the variables of a program that is not recorded to other pages.
void *lr_zeroed(size_t size);
/// Zeroed memory that is zeroed again in a fork, so that a child can never write into its parent's trace. NULL if there
/// is none.
void *lr_wiped_on_fork(size_t size);

/// A track id that no other trace has.
uint64_t lr_new_track(void);
uint64_t lr_process_track(void);
/// Describes the track, before its first event. `counter_unit`: as in CounterDescriptor.Unit; 0 for a track without a
/// counter. False if there is no room.
bool lr_write_track(lr_writer *writer, uint64_t track, const char *name, size_t length, uint32_t counter_unit);

/// Who set a budget, the weakest first: a host's default, the program, the budgets file of the user who measures.
typedef enum lr_strength { LR_BY_DEFAULT, LR_BY_PROGRAM, LR_BY_FILE } lr_strength;

/// A launch's reason, context and kind, as in its metadata. For a budget: the launches that it is for (empty: any).
typedef struct lr_label {
  const char *text;
  size_t length;
} lr_label;
#define LR_LABELS 3
#define LR_LABEL_KIND 2
typedef struct lr_labels {
  lr_label labels[LR_LABELS];
} lr_labels;

/// Sets a budget. `name` and the labels must live as long as the process.
void lr_budget_set_permanent(lr_budget_kind kind, const char *name, size_t name_length, uint64_t ns,
                             lr_strength strength, const lr_labels *when);
/// Takes a label of this launch from metadata: budgets for such launches apply from here on. Other keys are ignored.
void lr_budgets_label(const char *key, const char *value, size_t length);
/// Sets the kind that the launcher reports. Metadata cannot change it. `kind` must live as long as the process.
void lr_budgets_fix_kind(const char *kind, size_t length);
const char *lr_budget_kind_name(lr_budget_kind kind);

/// Where the work ran that took longer than its budget.
typedef enum lr_where {
  LR_ON_MAIN_THREAD,
  /// On another thread, with a budget of its own.
  LR_ELSEWHERE,
  /// On another thread, while the first thread only waited for events: the launch waited for this work.
  LR_AWAITED,
} lr_where;

/// Flags work in the trace that took longer than its budget.
void lr_flag_over_budget(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                         uint64_t end, uint64_t budget, lr_where place);
/// As lr_flag_over_budget, for an interval or a phase that is over, if a budget applies to it on its thread.
void lr_flag_work(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                  uint64_t end, bool is_main);
/// True if the first thread waits for events (in poll, epoll_wait, rt_sigsuspend, …), as it does after an async `main`
/// has suspended. Reads /proc.
bool lr_first_thread_is_idle(void);
/// True if the main actor runs now, on a thread that is neither the first nor the calling one.
bool lr_main_actor_is_elsewhere(void);

/// The start of the process, as seen from inside.
typedef struct lr_process_start {
  uint64_t start, error;
  /// The process that `preinit` is of. A fork that did not execute a program is another one.
  int32_t process;
  bool from_launcher;
  /// The recorder's first moment. In a program, loading has then ended. 0 in a fork that did not execute a program.
  uint64_t preinit;
  /// If no launcher reported the start: the CPU time that the process had used by then, and how long the machine had
  /// slept.
  uint64_t cpu_at_preinit, suspended_at_preinit;
  /// When the executable's last initialiser ended; 0 while unknown.
  uint64_t main_entry;
} lr_process_start;

extern lr_process_start lr_start_of_process;
/// Called at the first moment inside the process. `launcher` is the value of LAUNCHPROF_START or NULL.
void lr_process_start_find(const char *launcher);
/// Estimates the start and its error if no launcher reported it. Reads /proc, so only when recording begins.
void lr_process_start_bound(void);

/// Reads a small file of /proc, NUL-terminated. Async-signal-safe. Returns its length, 0 if it cannot be read.
size_t lr_read_proc(const char *path, char *text, size_t size);
/// A field of /proc/pid/stat from the third on, as proc(5) counts them; NULL if there is none.
const char *lr_stat_field(const char *text, int number);

/// True if no loader ran.
bool lr_is_static_executable(void);
/// False if the recorder is in a library: it does not know when loading ended.
bool lr_is_in_program(void);
/// The arguments that the program was started with; NULL if the recorder is in a library, or
/// if a library hid them.
char **lr_program_arguments(int *count);

/// Begins to record into the trace file, which exists. Returns an errno, 0 on success. This function and the next one: the
/// caller is the only thread or is in lr_start.
int lr_begin_writing(void);
/// Creates the file (in memory if `pattern` is NULL), in whose path `{pid}` is replaced, and begins to record into it. False
/// on failure.
bool lr_begin_as(const char *pattern, uint64_t limit);

/// The first packets of a trace: clocks, process, recorder.
void lr_write_clock_snapshot(lr_writer *writer);
#define LR_MOST_ARGUMENTS 40u
void lr_write_process(lr_writer *writer, int argc, char **argv);
/// As lr_write_process, for a recorder that was not handed the program's arguments. Reads /proc.
void lr_write_process_of_kernel(lr_writer *writer);
void lr_write_recorder(lr_writer *writer, double startup_cost, uint32_t initializers_untimed);

#if !defined(__GLIBC__)
/// musl runs no .preinit_array: there the recorder starts with the executable's first initialiser.
#define LR_STARTS_AS_INITIALIZER 1
void lr_first_initializer(void);
#endif

/// Redirects the initialisers of every image (with musl, only the executable's) to timed ones. Returns how many failed.
uint32_t lr_initializers_time(const char *program_path, bool is_static);

/// True once the executable's own initialisers run and are timed, so that the end of the last one is seen.
bool lr_program_is_timed(void);
/// Called when the last initialiser has run.
void lr_main_is_next(void);

/// A track that holds one async interval at a time, and what is kept about that interval by the thread that began it.
struct lr_lane {
  /// The interval's start, 0 once its end is claimed. Other threads may touch only this field.
  uint64_t start;
  /// The interval is over its budget from this time on.
  uint64_t deadline;
  /// The writer of the thread that began the interval.
  const lr_writer *writer;
  uint64_t track;
  /// The last two words of the begin record and of the end record (lr_signposts.c).
  uint64_t begin[2], end[2];
};

/// Takes a lane from the stack that threads share, or makes one.
lr_lane *lr_lane_take_any(lr_writer *writer);
void lr_lane_give_any(lr_lane *lane);

/// A free track for one async interval, NULL for none.
static inline lr_lane *lr_lane_take(lr_writer *writer) {
  if (__builtin_expect(writer->free_lane_count > 0, 1)) return writer->free_lanes[--writer->free_lane_count];
  return lr_lane_take_any(writer);
}

static inline void lr_lane_give(lr_writer *writer, lr_lane *lane) {
  if (__builtin_expect(writer->free_lane_count < LR_FREE_LANES, 1))
    writer->free_lanes[writer->free_lane_count++] = lane;
  else lr_lane_give_any(lane);
}

static inline lr_lane *lr_lane_of(lr_async interval) { return (lr_lane *)interval.lane; }

/// The interval that begins on a lane now.
static inline lr_async lr_lane_interval(const lr_writer *writer, lr_lane *lane, uint64_t start, uint64_t deadline) {
  lane->deadline = deadline;
  lane->writer = writer;
  __atomic_store_n(&lane->start, start, __ATOMIC_RELAXED);
  return (lr_async){start, (uintptr_t)lane};
}

/// Claims the right to write the interval's end: true only once.
static inline bool lr_lane_claim_end(lr_async interval) {
  uint64_t start = interval.start;
  return __atomic_compare_exchange_n(&lr_lane_of(interval)->start, &start, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Ends the interval on its lane and frees the lane, once the end is claimed. Returns the end, 0 if it was lost.
uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length);

/// The signal of the sampler that asks what the main thread is in, 0 while none asks.
extern int lr_watch_signal;
void lr_watch_enter(lr_phase *phase);
/// As lr_watch_enter, for a phase that may suspend.
void lr_watch_enter_async(lr_phase *phase);
void lr_watch_leave(const lr_phase *phase);

/// True for the first milestone of its name. One for which the summary has no place is not kept, and then is the first each
/// time.
bool lr_summary_add_milestone(const char *name, size_t length, uint64_t time, bool *is_kept);
/// Called for a reached milestone: runs the work that waited, if it is `first-frame` or `ready`.
void lr_deferred_reach(const char *milestone, size_t length);
/// True if a milestone that ends the launch was reached.
bool lr_summary_has_end(void);
/// True only for the first call.
bool lr_summary_complete(uint64_t time);
bool lr_summary_is_complete(void);
/// The deadline has passed. False if the launch was complete before.
bool lr_summary_time_out(void);
/// Called for a reached milestone: completes the launch if this milestone ends it.
void lr_complete_at(const char *milestone, size_t length, uint64_t time);

/// Write events with given times, for what happened before it could be written.
void lr_write_phase_begin(lr_writer *writer, const char *name, size_t name_length, uint64_t start, const char *source,
                          size_t source_length);
bool lr_put_mark(lr_writer *writer, const char *name, size_t name_length, uint64_t time);
/// As lr_put_mark, for the calling thread. If its chunk has no room, a milestone that the summary keeps uses the room that is reserved.
void lr_write_mark(const char *name, size_t name_length, uint64_t time, bool is_kept);

#define LR_LITERAL(string) string, sizeof(string) - 1

#pragma GCC visibility pop

#endif
