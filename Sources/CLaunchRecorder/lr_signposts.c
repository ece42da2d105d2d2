#if defined(__linux__)
#include "lr_recorder.h"

#include <string.h>

static void lr_annotate_signpost(lr_packet *packet, uint64_t signpost_id, const char *message, size_t length) {
  if (signpost_id) lr_annotate_uint(packet, LS_KEY_SIGNPOST_ID, signpost_id);
  if (length) lr_annotate_string(packet, LS_KEY_MESSAGE, message, length);
}

/// A begin or instant on the calling thread's track with annotations. Returns its time, 0 when it was lost.
static uint64_t lr_write_signpost(lr_writer *writer, lr_event_type type, const lr_name *entry,
                                  const lr_category *category, uint64_t signpost_id, const char *message,
                                  size_t length) {
  length = lr_cut(message, length, LR_LONGEST_MESSAGE);
  lr_packet packet;
  uint64_t now = lr_now(writer);
  if (!lr_event_open(&packet, writer, now, type, 0, 2 * LR_ANNOTATION + length)) return 0;
  if (category->id) lr_put_varint(&packet, LR_EVENT_CATEGORY_IIDS, category->id);
  lr_put_varint(&packet, LR_EVENT_NAME_IID, lr_name_iid(entry));
  lr_annotate_signpost(&packet, signpost_id, message, length);
  lr_event_close(&packet);
  return now;
}

lr_interval lr_interval_begin_message(const lr_category *category, const char *name, uint64_t signpost_id,
                                      const char *message, size_t message_length) {
  LR_PROBE3("interval__begin", name, lr_category_name(category), signpost_id);
  lr_interval interval = {0, NULL};
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry == NULL) return interval;
  interval.start = lr_write_signpost(writer, LR_BEGIN, entry, category, signpost_id, message, message_length);
  if (interval.start) interval.name = entry;
  return interval;
}

void lr_event_message(const lr_category *category, const char *name, uint64_t signpost_id, const char *message,
                      size_t message_length) {
  LR_PROBE3("event", name, lr_category_name(category), signpost_id);
  lr_writer *writer = lr_writer_get();
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry) lr_write_signpost(writer, LR_INSTANT, entry, category, signpost_id, message, message_length);
}

// MARK: Async intervals

// The common case has a shape of its own, so that an async interval costs stores and no encoding:
// `0a n 40 ts×9 50 s s 5a m 48 type 58 track×9 …` and a filler behind it. The track is a padded varint too.
#define LR_LANE_BEGIN 40
#define LR_LANE_END 32

/// Writes what both ends have in common; the caller has written the words behind it. `tail` are the bytes behind the track,
/// `event_length` those of the track event.
static void lr_put_lane_record(lr_writer *writer, uint64_t ns, uint32_t lane, lr_event_type type, size_t length,
                               uint32_t event_length, uint64_t tail) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  uint64_t stamp = lr_spread(ns), track = lr_lane_track(lane), spread = lr_spread(track);
  words[1] = stamp >> 40 | (ns >> 56) << 24 | writer->sequence_bytes;
  words[2] = event_length | UINT64_C(0x48) << 8 | (uint64_t)type << 16 | UINT64_C(0x58) << 24 | spread << 32;
  words[3] = spread >> 32 | (track >> 56) << 32 | tail << 40;
  lr_publish_record(writer, length, UINT64_C(0x40000a) | (uint64_t)(event_length + 15) << 8 | stamp << 24);
}

lr_async lr_async_begin_recording(const lr_category *category, const char *name, uint64_t signpost_id,
                                  const char *message, size_t message_length) {
  lr_async interval = {0, 0, 0};
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  uint32_t lane = entry ? lr_lane_take(writer) : 0;
  if (lane == 0) return interval;
  uint64_t now = lr_now(writer);
  if (category->id && signpost_id == 0 && message_length == 0 && lr_writer_has_room(writer, LR_LANE_BEGIN)) {
    // `18 c 50 i i` and a filler of six bytes: the last word of the name's own record has all but the filler.
    uint64_t tail = entry->record >> 24;
    ((uint64_t *)(void *)writer->cursor)[4] = tail >> 24 | UINT64_C(0x047a) << 16;
    lr_put_lane_record(writer, now, lane, LR_BEGIN, LR_LANE_BEGIN, 17, tail & 0xffffff);
    return lr_lane_interval(writer, lane, now, entry->budget);
  }
  size_t length = lr_cut(message, message_length, LR_LONGEST_MESSAGE);
  lr_packet packet;
  if (!lr_event_open(&packet, writer, now, LR_BEGIN, lr_lane_track(lane), 16 + 2 * LR_ANNOTATION + length)) {
    lr_lane_give(writer, lane);
    return interval;
  }
  if (category->id) lr_put_varint(&packet, LR_EVENT_CATEGORY_IIDS, category->id);
  lr_put_varint(&packet, LR_EVENT_NAME_IID, lr_name_iid(entry));
  lr_annotate_signpost(&packet, signpost_id, message, length);
  lr_event_close(&packet);
  return lr_lane_interval(writer, lane, now, entry->budget);
}

uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length) {
  uint64_t now = lr_now(writer);
  if (message_length == 0 && lr_writer_has_room(writer, LR_LANE_END)) {
    // Behind the track a filler of three bytes.
    lr_put_lane_record(writer, now, interval.lane, LR_END, LR_LANE_END, 12, 0x00017a);
    lr_lane_give(writer, interval.lane);
    return now;
  }
  size_t length = lr_cut(message, message_length, LR_LONGEST_MESSAGE);
  lr_packet packet;
  // A lane whose end could not be written stays taken: what begins on it next would be nested in it.
  if (!lr_event_open(&packet, writer, now, LR_END, lr_lane_track(interval.lane), length ? LR_ANNOTATION + length : 0))
    return 0;
  lr_annotate_signpost(&packet, 0, message, length);
  lr_event_close(&packet);
  lr_lane_give(writer, interval.lane);
  return now;
}

void lr_async_end_recording(const char *name, lr_async interval, const char *message, size_t message_length) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_lane_claim_end(interval)) return;
  lr_lane lane = lr_lane_get(interval.lane);
  uint64_t end = lr_lane_end(writer, interval, message, message_length);
  // It held the thread if it began and ended on it; what moved had let go of it.
  if (end && end - interval.start > lane.budget)
    lr_flag_work(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end,
                 lane.thread == writer->thread && lr_is_main_thread());
}
#endif
