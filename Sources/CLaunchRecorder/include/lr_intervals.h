// SPDX-License-Identifier: Apache-2.0

// Intervals and events: on the calling thread, and on tracks of their own.
#ifndef LR_INTERVALS_H
#define LR_INTERVALS_H

#include "lr_probe.h"
#include "lr_writer.h"

LR_C_BEGIN

// MARK: On the calling thread

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

#pragma GCC visibility push(hidden)
/// As lr_interval_begin, with a signpost id (0: exclusive) and a message (`message_length` 0: none).
lr_interval lr_interval_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length);
void lr_event_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                      size_t message_length);
#pragma GCC visibility pop

// MARK: Async: a track of their own

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
void lr_async_end_scoped_recording(const char *name, lr_async interval);
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

/// As lr_async_end, for an interval that only this call can end: the end needs no claim, which takes as long as a short interval.
static inline void lr_async_end_scoped(const lr_category *category, const char *name, uint64_t signpost_id, lr_async interval) {
  LR_PROBE3("interval__end", name, category, signpost_id);
  if (__builtin_expect(interval.lane != 0, 0)) lr_async_end_scoped_recording(name, interval);
}

// MARK: Names

#pragma GCC visibility push(hidden)
/// The category for a subsystem and category, made once and kept.
const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length);
/// A permanent NUL-terminated copy of a short string; equal strings give equal pointers. NULL when memory is short.
const char *lr_permanent_string(const char *string, size_t length);

/// A signpost id that no other call has returned.
uint64_t lr_new_signpost_id(void);
#pragma GCC visibility pop

LR_C_END

#endif
