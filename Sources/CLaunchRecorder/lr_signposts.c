// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <string.h>

// MARK: The rare cases

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

// The common cases have fixed record shapes, so that they cost only stores and no encoding. Numbers of variable size
// are padded to a constant size.

// MARK: Messages

// A plain record's words with a longer packet and track event, then `22 l 52 07 m e s s | a g e 32 l`, the message, and
// a filler of at least two bytes. Each length takes one byte: longer messages are written by lr_write_signpost.
#define LR_MESSAGE_HEAD 37u
#define LR_MESSAGE_LONGEST 92u
_Static_assert(sizeof LS_KEY_MESSAGE == 8, "the key stands in lr_put_message_record, letter by letter");
_Static_assert(((LR_MESSAGE_HEAD + LR_MESSAGE_LONGEST + 9) & ~7u) <= LR_LONGEST_PREPARED, "a writer's limit leaves room for it");

/// Writes an event with a message. `record`: the last word of a plain record of the event.
LR_INLINE void lr_put_message_record(lr_writer *writer, uint8_t *cursor, uint64_t elapsed, uint64_t record, const char *message,
                                     size_t length) {
  uint64_t *words = (uint64_t *)(void *)cursor;
  words[1] = writer->tail;
  words[2] = record + 13 + length;
  words[3] = UINT64_C(0x7373656d07520b22) + (length << 8);
  words[4] = UINT64_C(0x32656761) + (length << 32);
  uint8_t *end = cursor + LR_MESSAGE_HEAD + length;
  lr_copy_short(end - length, message, length);
  size_t size = (LR_MESSAGE_HEAD + length + 9) & ~(size_t)7;
  uint16_t filler = (uint16_t)(0x7a + ((size - LR_MESSAGE_HEAD - length - 2) << 8));
  __builtin_memcpy(end, &filler, 2);
  lr_publish_record(writer, cursor, size, lr_longer_head(writer, elapsed, 13 + length));
}

static void lr_annotate_signpost(lr_packet *packet, uint64_t signpost_id, const char *message, size_t length) {
  if (signpost_id) lr_annotate_uint(packet, LR_LITERAL(LS_KEY_SIGNPOST_ID), signpost_id);
  if (length) lr_annotate_string(packet, LR_LITERAL(LS_KEY_MESSAGE), message, length);
}

/// Writes an event of any shape. Returns its time, 0 if it was lost.
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

/// Writes the common case: a message, no signpost id. `entry` is the name's, NULL for its first place. The last word of the
/// event's plain record is the entry's and `more`. Returns the entry, or NULL if this is not the common case.
LR_INLINE const lr_name *lr_try_message(lr_writer *writer, const lr_name *entry, const lr_category *category, const char *name,
                                        uint64_t more, uint64_t signpost_id, const char *message, size_t length,
                                        uint64_t *elapsed) {
  uint8_t *cursor = writer->cursor;
  if (cursor >= writer->limit || signpost_id || length - 1 >= LR_MESSAGE_LONGEST) return NULL;
  if (entry == NULL) entry = lr_name_place(writer, name, category);
  if (!lr_name_is(entry, name, category) || !lr_try_elapsed(writer, elapsed)) return NULL;
  lr_put_message_record(writer, cursor, *elapsed, entry->record + more, message, length);
  return entry;
}

/// As lr_try_message, if another name has the first place of the name. A call: longer messages need not pay for its code.
LR_RARE static const lr_name *lr_try_entry(lr_writer *writer, const lr_name *entry, uint64_t more, const char *message,
                                           size_t length, uint64_t *elapsed) {
  return lr_try_message(writer, entry, entry->category, entry->name, more, 0, message, length, elapsed);
}

LR_RARE static lr_interval lr_interval_begin_message_slow(const lr_category *category, const char *name, uint64_t signpost_id,
                                                  const char *message, size_t length) {
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  uint64_t elapsed;
  if (entry && length <= LR_MESSAGE_LONGEST && !signpost_id && lr_try_entry(writer, entry, 0, message, length, &elapsed))
    return (lr_interval){writer->clock_ns + elapsed + entry->budget, writer};
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  uint64_t start = entry ? lr_write_signpost(writer, LR_BEGIN, 0, entry, signpost_id, message, length) : 0;
  return start ? (lr_interval){start + entry->budget, writer} : (lr_interval){0, NULL};
}

lr_interval lr_interval_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length) {
  LR_PROBE3("interval__begin", name, category, signpost_id);
  lr_writer *writer = lr_current;
  uint64_t elapsed;
  const lr_name *entry = lr_try_message(writer, NULL, category, name, 0, signpost_id, message, message_length, &elapsed);
  if (__builtin_expect(entry == NULL, 0))
    return lr_interval_begin_message_slow(category, name, signpost_id, message, message_length);
  return (lr_interval){writer->clock_ns + elapsed + entry->budget, writer};
}

LR_RARE static void lr_event_message_slow(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                                  size_t length) {
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  uint64_t elapsed, more = LR_RECORD_BEGIN_TO_INSTANT;
  if (entry && length <= LR_MESSAGE_LONGEST && !signpost_id && lr_try_entry(writer, entry, more, message, length, &elapsed)) return;
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  if (entry) lr_write_signpost(writer, LR_INSTANT, 0, entry, signpost_id, message, length);
}

void lr_event_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                      size_t message_length) {
  LR_PROBE3("event", name, category, signpost_id);
  uint64_t elapsed, more = LR_RECORD_BEGIN_TO_INSTANT;
  const lr_name *entry = lr_try_message(lr_current, NULL, category, name, more, signpost_id, message, message_length, &elapsed);
  if (__builtin_expect(entry == NULL, 0)) lr_event_message_slow(category, name, signpost_id, message, message_length);
}

// MARK: Async intervals

// A begin is a plain record's words with a longer track event, `… 5a | 11 48 01 18 c 50 i i`, then the track, `58 t×7 |
// t t`, and a filler. An end is `… 5a | 0c 48 02 58 t×4 | t×5` and a filler. A lane holds the last two words of each.
#define LR_LANE_BEGIN 40
#define LR_LANE_END 32
// Most signpost ids are less than 2^56. With such an id, the annotation takes the filler's place: `22 16 52 0b s i | g
// n p o s t _ i | d 18 v×6 | v v`, and a filler.
#define LR_LANE_BEGIN_ID 64
_Static_assert(sizeof LS_KEY_SIGNPOST_ID == 12, "the key stands in lr_put_signpost_id, letter by letter");

static inline void lr_put_signpost_id(uint64_t *words, uint64_t track_end, uint64_t signpost_id) {
  // All continuation bits except the last.
  uint64_t spread = lr_spread(signpost_id) ^ UINT64_C(1) << 63;
  words[0] = (track_end & 0xffff) | UINT64_C(0x69730b5216220000);
  words[1] = UINT64_C(0x695f74736f706e67);
  words[2] = UINT64_C(0x1864) | spread << 16;
  words[3] = spread >> 48 | UINT64_C(0x047a0000);
}

/// Begins an interval on a lane of this thread. `entry` is the name's, NULL for its first place. False if this is not the
/// common case.
LR_INLINE bool lr_try_async(lr_writer *writer, const lr_name *entry, const lr_category *category, const char *name,
                            uint64_t signpost_id, lr_async *interval) {
  uint8_t *cursor = writer->cursor;
  if (cursor >= writer->limit || signpost_id >> 56) return false;
  if (entry == NULL) entry = lr_name_place(writer, name, category);
  uint64_t elapsed;
  if (!lr_name_is(entry, name, category) || !lr_try_elapsed(writer, &elapsed)) return false;
  uint32_t lanes = writer->free_lane_count;
  if (lanes == 0) return false;
  lr_lane *lane = writer->free_lanes[lanes - 1];
  writer->free_lane_count = lanes - 1;
  uint64_t *words = (uint64_t *)(void *)cursor, more = signpost_id ? 34 : 10;
  words[1] = writer->tail;
  words[2] = entry->record + more;
  __builtin_memcpy(words + 3, lane->begin, sizeof lane->begin);
  if (signpost_id) lr_put_signpost_id(words + 4, lane->begin[1], signpost_id);
  size_t size = signpost_id ? LR_LANE_BEGIN_ID : LR_LANE_BEGIN;
  lr_publish_record(writer, cursor, size, lr_longer_head(writer, elapsed, more));
  uint64_t start = writer->clock_ns + elapsed;
  *interval = lr_lane_interval(writer, lane, start, start + entry->budget);
  return true;
}

__attribute__((noinline)) lr_async lr_async_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                                          const char *message, size_t length) {
  lr_async interval = {0, 0};
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  // The name was not in its first place.
  if (entry && length == 0 && lr_try_async(writer, entry, category, name, signpost_id, &interval)) return interval;
  lr_lane *lane = entry ? lr_lane_take(writer) : NULL;
  if (lane == NULL) return interval;
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  uint64_t now = lr_write_signpost(writer, LR_BEGIN, lane->track, entry, signpost_id, message, length);
  if (now) return lr_lane_interval(writer, lane, now, now + entry->budget);
  lr_lane_give(writer, lane);
  return interval;
}

lr_async lr_async_begin_recording(const lr_category *category, const char *name) {
  lr_async interval;
  if (__builtin_expect(lr_try_async(lr_current, NULL, category, name, 0, &interval), 1)) return interval;
  return lr_async_begin_message(category, name, 0, NULL, 0);
}

lr_async lr_async_begin_id(const lr_category *category, const char *name, uint64_t signpost_id) {
  lr_async interval;
  if (__builtin_expect(lr_try_async(lr_current, NULL, category, name, signpost_id, &interval), 1)) return interval;
  return lr_async_begin_message(category, name, signpost_id, NULL, 0);
}

uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length) {
  size_t length = lr_cut(message, message_length, LR_LONGEST_MESSAGE);
  lr_packet packet;
  uint64_t now = lr_now(writer), track = lr_lane_of(interval)->track;
  // A lane whose end could not be written stays taken: the next interval on it would appear nested in it.
  if (!lr_event_open(&packet, writer, now, LR_END, track, length ? LR_ANNOTATION + length : 0)) return 0;
  lr_annotate_signpost(&packet, 0, message, length);
  lr_event_close(&packet);
  lr_lane_give(writer, lr_lane_of(interval));
  return now;
}

/// The interval held its thread if it began and ended on it. One that moved had let go of the thread.
LR_RARE static void lr_async_over_budget(lr_writer *writer, const char *name, lr_async interval, uint64_t end,
                                         const lr_writer *began_by) {
  lr_flag_work(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end,
               began_by == writer && lr_runs_main_work(writer));
}

__attribute__((noinline)) void lr_async_end_message(const char *name, lr_async interval, const char *message, size_t length) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_lane_claim_end(interval)) return;
  // Read now: ending the interval frees the lane, which another thread may take before that call returns.
  uint64_t deadline = lr_lane_of(interval)->deadline;
  const lr_writer *began_by = lr_lane_of(interval)->writer;
  uint64_t end = lr_lane_end(writer, interval, message, length);
  if (end > deadline) lr_async_over_budget(writer, name, interval, end, began_by);
}

/// False if this is not the common case.
LR_INLINE bool lr_may_end_async(const lr_writer *writer, const uint8_t *cursor, uint64_t *elapsed) {
  return cursor < writer->limit && lr_try_elapsed(writer, elapsed) && writer->free_lane_count != LR_FREE_LANES;
}

/// Writes the end, once it is claimed.
LR_INLINE void lr_put_async_end(lr_writer *writer, uint8_t *cursor, uint64_t elapsed, const char *name, lr_async interval) {
  lr_lane *lane = lr_lane_of(interval);
  uint64_t *words = (uint64_t *)(void *)cursor;
  words[1] = writer->tail;
  __builtin_memcpy(words + 2, lane->end, sizeof lane->end);
  lr_publish_record(writer, cursor, LR_LANE_END, lr_longer_head(writer, elapsed, 5));
  writer->free_lanes[writer->free_lane_count++] = lane;
  uint64_t end = writer->clock_ns + elapsed;
  if (__builtin_expect(end > lane->deadline, 0)) lr_async_over_budget(writer, name, interval, end, lane->writer);
}

void lr_async_end_recording(const char *name, lr_async interval) {
  lr_writer *writer = lr_current;
  uint8_t *cursor = writer->cursor;
  uint64_t elapsed;
  if (!lr_may_end_async(writer, cursor, &elapsed)) lr_async_end_message(name, interval, NULL, 0);
  else if (lr_lane_claim_end(interval)) lr_put_async_end(writer, cursor, elapsed, name, interval);
}

void lr_async_end_scoped_recording(const char *name, lr_async interval) {
  lr_writer *writer = lr_current;
  uint8_t *cursor = writer->cursor;
  uint64_t elapsed;
  if (!lr_may_end_async(writer, cursor, &elapsed)) lr_async_end_message(name, interval, NULL, 0);
  else lr_put_async_end(writer, cursor, elapsed, name, interval);
}
#endif
