// What the recorder's own files share.
#ifndef LR_RECORDER_H
#define LR_RECORDER_H

#include "../CLaunchSchema/CLaunchSchema.h"
#include "include/CLaunchRecorder.h"
#include "lr_packet.h"
#include "lr_system.h"

// What the recorder writes to at start-up does not lie in .bss, where it may be the only need for a page, but with the data that
// the loader has relocated: a page fault less.
#if defined(__clang__) && defined(__ELF__)
#pragma clang section bss = ".data"
#endif

/// What lies before a category's name.
typedef struct lr_category_head {
  /// 1…127; 0 when there are more categories than ids.
  uint32_t id;
  uint32_t length;
  /// The one made before it.
  const lr_category *before;
} lr_category_head;

static inline const lr_category_head *lr_category_head_of(const lr_category *category) {
  return (const lr_category_head *)(const void *)category - 1;
}
static inline uint32_t lr_category_id(const lr_category *category) { return lr_category_head_of(category)->id; }

/// The head of the filler of a chunk's rest, which stays until the chunk is full, and with it.
#define LR_REST 8
/// True when a record of `size` bytes and the filler behind it fit into the chunk.
static inline bool lr_writer_has_room(const lr_writer *writer, size_t size) {
  return (size_t)(writer->end - writer->cursor) >= size + LR_REST;
}
/// Sees that there is room for a record of `size` bytes, with a new chunk where needed. False: counted as dropped.
bool lr_writer_reserve(lr_writer *writer, size_t size);
/// Free to be called when `lr_writer_get` gave NULL: an event was lost.
void lr_count_dropped(uint64_t count);
uint64_t lr_dropped(void);
/// Where the count of lost events stands in the trace.
void lr_show_dropped_at(uint64_t *double_bits);
/// True in the process that began to record, false in its forks.
bool lr_is_recording_process(void);
/// As lr_is_main_thread, of the thread whose writer it is.
bool lr_runs_main_work(const lr_writer *writer);
/// The same as lr_put_record for a time that is not now, CLOCK_MONOTONIC, ns.
void lr_put_record_at(lr_writer *writer, uint64_t ns, uint64_t record);
void lr_writer_start(void);
/// The path by which the program was executed, while nothing but the recorder has run; else NULL.
const char *lr_program_at_start(void);
/// The interning id in a name's record.
uint64_t lr_name_iid(const lr_name *name);
int32_t lr_process_id(void);

/// Writes `value` in decimal, at most twenty digits and no NUL; returns how many. (snprintf costs microseconds at its first
/// use.)
static inline size_t lr_decimal(char *text, uint64_t value) {
  size_t count = 1;
  for (uint64_t rest = value; rest >= 10; rest /= 10) count++;
  for (size_t at = count; at > 0; value /= 10) text[--at] = (char)('0' + value % 10);
  return count;
}

/// Reads decimal digits; returns what stands behind them.
static inline const char *lr_parse_decimal(const char *text, uint64_t *value) {
  *value = 0;
  while (*text >= '0' && *text <= '9') *value = *value * 10 + (uint64_t)(*text++ - '0');
  return text;
}

/// Zeroed memory for a table that only a recording needs, which is never given back; NULL when there is none. Not in .bss: a
/// program that is not recorded would have its own variables on pages behind it.
void *lr_zeroed(size_t size);
/// Zeroed memory that a fork finds zeroed again, so that a child can never write into its parent's trace. NULL when there is none.
void *lr_wiped_on_fork(size_t size);

/// A track id that no other trace has.
uint64_t lr_new_track(void);
uint64_t lr_process_track(void);

/// Who said a budget, the weakest first: a host that goes without saying, the program, the file of the person who measures.
typedef enum lr_strength { LR_BY_DEFAULT, LR_BY_PROGRAM, LR_BY_FILE } lr_strength;

/// A launch's reason, context and kind, as metadata says them; of a budget, those that it is for (empty: any).
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
/// Metadata says what launch this is: budgets for such launches hold from here on. Other keys are passed over.
void lr_budgets_label(const char *key, const char *value, size_t length);
/// The launcher says of which kind the launch is. Metadata cannot change it. `kind` must live as long as the process.
void lr_budgets_fix_kind(const char *kind, size_t length);
const char *lr_budget_kind_name(lr_budget_kind kind);

/// Where the work was that took longer than its budget.
typedef enum lr_where {
  LR_ON_MAIN_THREAD,
  /// On another thread, by a budget of its own.
  LR_ELSEWHERE,
  /// On another thread, while the first thread did nothing but wait for events: the launch waited for it.
  LR_AWAITED,
} lr_where;

/// Flags in the trace what took longer than its budget.
void lr_flag_over_budget(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                         uint64_t end, uint64_t budget, lr_where place);
/// The same for an interval or a phase that is over, if a budget holds for it where it ran.
void lr_flag_work(lr_writer *writer, lr_budget_kind kind, const char *name, size_t name_length, uint64_t start,
                  uint64_t end, bool is_main);
/// True if the first thread waits for events (in poll, epoll_wait, rt_sigsuspend, …), as after an `async` main has suspended.
/// Reads /proc.
bool lr_first_thread_is_idle(void);

/// What the start of the process looked like, from inside.
typedef struct lr_process_start {
  uint64_t start, error;
  bool from_launcher;
  uint64_t preinit;
  /// CPU time that the process had used then, when no launcher said the start.
  uint64_t cpu_at_preinit;
  /// When the last initialiser of the executable had run; 0 while that is not known.
  uint64_t main_entry;
} lr_process_start;

extern lr_process_start lr_start_of_process;
/// At the first moment inside the process. `launcher` is LAUNCHPROF_START's value or NULL.
void lr_process_start_find(const char *launcher);
/// Estimates the start when no launcher said it, and how far that may be off. Reads /proc, so only when recording begins.
void lr_process_start_bound(void);

/// True when no loader ran.
bool lr_is_static_executable(void);
/// The first packets of a trace: clocks, process, recorder.
void lr_write_clock_snapshot(lr_writer *writer);
void lr_write_process(lr_writer *writer, int argc, char **argv);
void lr_write_recorder(lr_writer *writer, double startup_cost, uint32_t initializers_untimed);

#if !defined(__GLIBC__)
/// musl walks no .preinit_array: there the recorder starts with the executable's first initialiser.
#define LR_STARTS_AS_INITIALIZER 1
void lr_first_initializer(void);
#endif

/// Redirects every image's initialisers to timed ones; with musl only the executable's. Returns how many could not be.
uint32_t lr_initializers_time(const char *program_path, bool is_static);

/// True when the executable's own initialisers are, so that the end of the last one is seen.
bool lr_program_is_timed(void);
/// The last initialiser has run.
void lr_main_is_next(void);

/// A track on which one async interval lies at a time: what is kept of that interval, by the thread that began it.
struct lr_lane {
  /// Of the interval, 0 once its end is claimed: the only field that another thread may touch.
  uint64_t start;
  /// From then on it is over its budget.
  uint64_t deadline;
  /// Of the thread that began it.
  const lr_writer *writer;
  uint64_t track;
  /// The last two words of a begin's and of an end's record (lr_signposts.c).
  uint64_t begin[2], end[2];
};

/// From a stack that threads share, or a new one.
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

/// Whether the interval's end is still to be written: true once.
static inline bool lr_lane_claim_end(lr_async interval) {
  uint64_t start = interval.start;
  return __atomic_compare_exchange_n(&lr_lane_of(interval)->start, &start, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Ends what lies on the interval's lane and frees it, once its end is claimed. Returns the end, 0 when it was lost.
uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length);

/// The signal of the one who asks what the main thread is in, 0 while nobody does.
extern int lr_watch_signal;
void lr_watch_enter(lr_phase *phase);
/// The same for a phase that may suspend.
void lr_watch_enter_async(lr_phase *phase);
void lr_watch_leave(const lr_phase *phase);

/// True when it is the first of its name.
bool lr_summary_add_milestone(const char *name, size_t length, uint64_t time);
/// A milestone was reached: what waited for the first frame runs, if it is that or its like.
void lr_deferred_reach(const char *milestone, size_t length);
/// True if a milestone was reached that ends the launch.
bool lr_summary_has_end(void);
/// True for the first one.
bool lr_summary_complete(uint64_t time);
bool lr_summary_is_complete(void);
/// A milestone was reached: completes the launch if it is the one.
void lr_complete_at(const char *milestone, size_t length, uint64_t time);

/// Events of the calling thread with given times, for what happened before they could be written.
void lr_write_slice_begin(const char *category, const char *name, size_t name_length, uint64_t start,
                          const char *source);
void lr_write_slice_end(uint64_t end);
void lr_write_mark(const char *name, size_t name_length, uint64_t time);

#define LR_LITERAL(string) string, sizeof(string) - 1

#endif
