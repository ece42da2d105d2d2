#if defined(__linux__)
#include "lr_recorder.h"

#include <string.h>

// MARK: What is not the common case

lr_interval lr_interval_begin_slow(const lr_category *category, const char *name) {
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry == NULL) return (lr_interval){0, NULL};
  uint64_t elapsed = lr_elapsed(writer);
  lr_put_record(writer, writer->cursor, elapsed, entry->record);
  return (lr_interval){writer->clock_ns + elapsed + entry->budget, writer};
}

void lr_interval_end_slow(const lr_category *category, const char *name, lr_interval interval) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  uint64_t elapsed = lr_elapsed(writer), end = writer->clock_ns + elapsed;
  lr_put_end_record(writer, writer->cursor, elapsed);
  if (end > interval.deadline) lr_interval_over_budget(category, name, interval, end);
}

void lr_event_slow(const lr_category *category, const char *name) {
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry) lr_put_record(writer, writer->cursor, lr_elapsed(writer), entry->record + LR_RECORD_BEGIN_TO_INSTANT);
}

// The common cases have shapes of their own, so that they cost stores and no encoding. Numbers of a variable size are padded to a
// constant one.

// MARK: Messages

/// `0a l l 40 | ts×9 50 s s | 5a l l 48 type 18 c 50 | i i 22 l l 52 07 m | e s s a g e 32 l | l …`, then the message.
#define LR_MESSAGE_HEAD 41u
_Static_assert(sizeof LS_KEY_MESSAGE == 8, "the key stands in lr_put_message_record, letter by letter");

/// `number` in two bytes at bit `shift`.
static inline uint64_t lr_two_bytes(uint64_t number, int shift) { return (lr_spread14(number) | LR_CONTINUED) << shift; }

/// What a record with a message takes; a filler of its last bytes has at least two.
static inline size_t lr_message_record_size(size_t length) {
  size_t whole = (LR_MESSAGE_HEAD + length + 7) & ~(size_t)7;
  return whole - LR_MESSAGE_HEAD - length == 1 ? whole + 8 : whole;
}

/// Writes an event with a category and a message; there is room for `size` bytes. `record`: the last word of a plain record of the
/// event.
LR_INLINE void lr_put_message_record(lr_writer *writer, uint64_t elapsed, uint64_t record, const char *message,
                                         size_t length, size_t size) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  uint64_t head = lr_record_head(writer, elapsed);
  // A plain record's head and tail are one byte of length shorter.
  words[1] = head >> 56 | writer->tail << 8;
  words[2] = UINT64_C(0x5a) | lr_two_bytes(length + 22, 8) | (record >> 8) << 24;
  words[3] = record >> 48 | UINT64_C(0x22) << 16 | lr_two_bytes(length + 12, 24) | UINT64_C(0x6d0752) << 40;
  uint64_t own_length = lr_two_bytes(length, 0);
  words[4] = UINT64_C(0x32656761737365) | own_length << 56;
  uint8_t *at = writer->cursor + LR_MESSAGE_HEAD;
  at[-1] = (uint8_t)(own_length >> 8);
  lr_copy_bytes(at, message, length);
  size_t rest = size - LR_MESSAGE_HEAD - length;
  if (rest > 0) {
    at[length] = 0x7a;
    at[length + 1] = (uint8_t)(rest - 2);
  }
  lr_publish_record(writer, writer->cursor, size, (head & ~UINT64_C(0xffffff)) << 8 | UINT64_C(0x4000000a) | lr_two_bytes(length + 38, 8));
}

static void lr_annotate_signpost(lr_packet *packet, uint64_t signpost_id, const char *message, size_t length) {
  if (signpost_id) lr_annotate_uint(packet, LS_KEY_SIGNPOST_ID, signpost_id);
  if (length) lr_annotate_string(packet, LS_KEY_MESSAGE, message, length);
}

/// An event of any shape. Its time, 0 when it was lost.
static uint64_t lr_write_signpost(lr_writer *writer, lr_event_type type, uint64_t track, const lr_name *entry,
                                  uint64_t signpost_id, const char *message, size_t length) {
  lr_packet packet;
  uint64_t now = lr_now(writer);
  if (!lr_event_open(&packet, writer, now, type, track, 16 + 2 * LR_ANNOTATION + length)) return 0;
  uint32_t category = lr_category_id(entry->category);
  if (category) lr_put_varint(&packet, LR_EVENT_CATEGORY_IIDS, category);
  lr_put_varint(&packet, LR_EVENT_NAME_IID, lr_name_iid(entry));
  lr_annotate_signpost(&packet, signpost_id, message, length);
  lr_event_close(&packet);
  return now;
}

/// Writes the common case: a category that has an id, a message, no signpost id. The last word of the event's plain record is
/// its name's and `more`. Returns the name; NULL when it is not the common case.
LR_INLINE const lr_name *lr_try_message(const lr_category *category, const char *name, uint64_t more, uint64_t signpost_id,
                                            const char *message, size_t length, uint64_t *elapsed) {
  lr_writer *writer = lr_current;
  size_t size = lr_message_record_size(length);
  if (writer->cursor >= writer->limit || !lr_writer_has_room(writer, size)) return NULL;
  const lr_name *entry = lr_name_place(writer, name, category);
  if (signpost_id || length - 1 >= LR_LONGEST_MESSAGE || !lr_name_is(entry, name, category)) return NULL;
  if (lr_category_id(category) == 0 || !lr_try_elapsed(writer, elapsed)) return NULL;
  lr_put_message_record(writer, *elapsed, entry->record + more, message, length, size);
  return entry;
}

LR_RARE static lr_interval lr_interval_begin_message_slow(const lr_category *category, const char *name, uint64_t signpost_id,
                                                  const char *message, size_t length) {
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  uint64_t start = entry ? lr_write_signpost(writer, LR_BEGIN, 0, entry, signpost_id, message, length) : 0;
  return start ? (lr_interval){start + entry->budget, writer} : (lr_interval){0, NULL};
}

lr_interval lr_interval_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length) {
  LR_PROBE3("interval__begin", name, category, signpost_id);
  uint64_t elapsed;
  const lr_name *entry = lr_try_message(category, name, 0, signpost_id, message, message_length, &elapsed);
  if (__builtin_expect(entry == NULL, 0))
    return lr_interval_begin_message_slow(category, name, signpost_id, message, message_length);
  return (lr_interval){lr_current->clock_ns + elapsed + entry->budget, lr_current};
}

LR_RARE static void lr_event_message_slow(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                                  size_t length) {
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  if (entry) lr_write_signpost(writer, LR_INSTANT, 0, entry, signpost_id, message, length);
}

void lr_event_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                      size_t message_length) {
  LR_PROBE3("event", name, category, signpost_id);
  uint64_t elapsed;
  if (__builtin_expect(!lr_try_message(category, name, LR_RECORD_BEGIN_TO_INSTANT, signpost_id, message, message_length, &elapsed), 0))
    lr_event_message_slow(category, name, signpost_id, message, message_length);
}

// MARK: Async intervals

// A begin is a plain record's words with another length of the track event, `… 5a | 11 48 01 18 c 50 i i`, then the track,
// `58 t×7 | t t`, and a filler. An end is `… 5a | 0c 48 02 58 t×4 | t×5` and a filler. Of both a lane has the last two words.
#define LR_LANE_BEGIN 40
#define LR_LANE_END 32

/// The head of a plain record with a packet that is `longer` bytes longer than a plain record's.
static inline uint64_t lr_longer_head(const lr_writer *writer, uint64_t elapsed, uint64_t longer) {
  return lr_record_head(writer, elapsed) + (longer << 8);
}

static inline void lr_put_lane_begin(lr_writer *writer, uint64_t elapsed, const lr_name *entry, uint32_t lane) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  words[1] = writer->tail;
  words[2] = entry->record + 10;
  words[3] = lr_lane_table[lane].begin[0];
  words[4] = lr_lane_table[lane].begin[1];
  lr_publish_record(writer, writer->cursor, LR_LANE_BEGIN, lr_longer_head(writer, elapsed, 10));
}

static inline void lr_put_lane_end(lr_writer *writer, uint64_t elapsed, uint32_t lane) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  words[1] = writer->tail;
  words[2] = lr_lane_table[lane].end[0];
  words[3] = lr_lane_table[lane].end[1];
  lr_publish_record(writer, writer->cursor, LR_LANE_END, lr_longer_head(writer, elapsed, 5));
}

lr_async lr_async_begin_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                                size_t length) {
  lr_async interval = {0, 0, 0};
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  uint32_t lane = entry ? lr_lane_take(writer) : 0;
  if (lane == 0) return interval;
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  uint64_t now = lr_write_signpost(writer, LR_BEGIN, lr_lane_track(lane), entry, signpost_id, message, length);
  if (now) return lr_lane_interval(writer, lane, now, entry->budget);
  lr_lane_give(writer, lane);
  return interval;
}

lr_async lr_async_begin_recording(const lr_category *category, const char *name) {
  lr_writer *writer = lr_current;
  if (writer->cursor >= writer->limit || writer->free_lane_count == 0)
    return lr_async_begin_message(category, name, 0, NULL, 0);
  const lr_name *entry = lr_name_place(writer, name, category);
  uint64_t elapsed;
  if (!lr_name_is(entry, name, category) || lr_category_id(category) == 0 || !lr_try_elapsed(writer, &elapsed))
    return lr_async_begin_message(category, name, 0, NULL, 0);
  uint32_t lane = writer->free_lanes[--writer->free_lane_count];
  lr_put_lane_begin(writer, elapsed, entry, lane);
  return lr_lane_interval(writer, lane, writer->clock_ns + elapsed, entry->budget);
}

uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length) {
  size_t length = lr_cut(message, message_length, LR_LONGEST_MESSAGE);
  lr_packet packet;
  uint64_t now = lr_now(writer);
  // A lane whose end could not be written stays taken: what begins on it next would be nested in it.
  if (!lr_event_open(&packet, writer, now, LR_END, lr_lane_track(interval.lane), length ? LR_ANNOTATION + length : 0))
    return 0;
  lr_annotate_signpost(&packet, 0, message, length);
  lr_event_close(&packet);
  lr_lane_give(writer, interval.lane);
  return now;
}

/// It held the thread if it began and ended on it; what moved had let go of it.
LR_RARE static void lr_async_over_budget(lr_writer *writer, const char *name, lr_async interval, uint64_t end, int32_t thread) {
  lr_flag_work(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end,
               thread == writer->thread && lr_runs_main_work(writer));
}

void lr_async_end_message(const char *name, lr_async interval, const char *message, size_t length) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_lane_claim_end(interval)) return;
  // Given back with the end: it may be another thread's before that returns.
  uint64_t budget = lr_lane_table[interval.lane].budget;
  int32_t thread = lr_lane_table[interval.lane].thread;
  uint64_t end = lr_lane_end(writer, interval, message, length);
  if (end && end - interval.start > budget) lr_async_over_budget(writer, name, interval, end, thread);
}

void lr_async_end_recording(const char *name, lr_async interval) {
  lr_writer *writer = lr_current;
  uint64_t elapsed;
  if (writer->cursor >= writer->limit || writer->free_lane_count == LR_FREE_LANES || !lr_try_elapsed(writer, &elapsed)) {
    lr_async_end_message(name, interval, NULL, 0);
    return;
  }
  if (!lr_lane_claim_end(interval)) return;
  const lr_lane *lane = &lr_lane_table[interval.lane];
  uint64_t budget = lane->budget, end = writer->clock_ns + elapsed;
  lr_put_lane_end(writer, elapsed, interval.lane);
  writer->free_lanes[writer->free_lane_count++] = interval.lane;
  if (__builtin_expect(end - interval.start > budget, 0))
    lr_async_over_budget(writer, name, interval, end, lane->thread);
}
#endif
