#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

#define LR_LONGEST_MESSAGE 2048u
#define LR_MOST_LANES 65536u
#define LR_MOST_TASKS 16u
#define LR_LONGEST_TASK 128u

static size_t lr_message_cut(const char *message, size_t length) {
  if (length <= LR_LONGEST_MESSAGE) return length;
  length = LR_LONGEST_MESSAGE;
  while (length > 0 && ((uint8_t)message[length] & 0xc0) == 0x80) length--;
  return length;
}

static void lr_annotate_signpost(lr_packet *packet, uint64_t signpost_id, const char *message, size_t length) {
  if (signpost_id) lr_annotate_uint(packet, "signpost_id", signpost_id);
  if (length) lr_annotate_string(packet, "message", message, length);
}

/// A begin or instant on the calling thread's track with annotations. Returns its time, 0 when it was lost.
static uint64_t lr_write_signpost(lr_writer *writer, lr_event_type type, const lr_name *entry,
                                  const lr_category *category, uint64_t signpost_id, const char *message,
                                  size_t length) {
  length = lr_message_cut(message, length);
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

// MARK: Lanes

// A lane is a track on which one async interval lies at a time. Threads keep a few free ones; the rest lie in a stack.
static struct {
  pthread_mutex_t lock;
  uint32_t count;
  uint32_t free_count;
  uint32_t free[LR_MOST_LANES];
  /// Counts the ends on a lane. Read without the lock.
  uint32_t turns[LR_MOST_LANES + 1];
} lr_lanes = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t lr_lane_track(uint32_t lane) { return lr_process_track() + (UINT64_C(1) << 40) + lane; }

/// Says that the track is there, before its first event. Tracks are told apart by number: all are called `async`.
static bool lr_write_lane(lr_writer *writer, uint32_t lane) {
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, 64)) return false;
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, lr_lane_track(lane));
  lr_put_varint(&packet, 5, lr_process_track());
  lr_put_string(&packet, 2, LR_LITERAL("async"));
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
  return true;
}

/// A free lane, 0 for none.
uint32_t lr_lane_take(lr_writer *writer) {
  if (writer->free_lane_count > 0) return writer->free_lanes[--writer->free_lane_count];
  uint32_t lane = 0;
  bool is_new = false;
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count > 0) {
    lane = lr_lanes.free[--lr_lanes.free_count];
  } else if (lr_lanes.count < LR_MOST_LANES) {
    lane = ++lr_lanes.count;
    is_new = true;
  }
  pthread_mutex_unlock(&lr_lanes.lock);
  if (is_new && !lr_write_lane(writer, lane)) return 0;
  return lane;
}

void lr_lane_give(lr_writer *writer, uint32_t lane) {
  if (writer->free_lane_count < (int32_t)(sizeof writer->free_lanes / sizeof writer->free_lanes[0])) {
    writer->free_lanes[writer->free_lane_count++] = lane;
    return;
  }
  pthread_mutex_lock(&lr_lanes.lock);
  if (lr_lanes.free_count < LR_MOST_LANES) lr_lanes.free[lr_lanes.free_count++] = lane;
  pthread_mutex_unlock(&lr_lanes.lock);
}

lr_async lr_lane_interval(const lr_writer *writer, uint32_t lane, uint64_t start, uint64_t budget) {
  return (lr_async){start, budget, lane, __atomic_load_n(&lr_lanes.turns[lane], __ATOMIC_RELAXED), writer->thread};
}

bool lr_lane_claim_end(lr_async interval) {
  uint32_t turn = interval.turn;
  return interval.lane <= LR_MOST_LANES &&
         __atomic_compare_exchange_n(&lr_lanes.turns[interval.lane], &turn, turn + 1, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

lr_async lr_async_begin_recording(const lr_category *category, const char *name, uint64_t signpost_id,
                                  const char *message, size_t message_length) {
  lr_async interval = {0, 0, 0, 0, 0};
  lr_writer *writer = category ? lr_writer_get() : NULL;
  const lr_name *entry = writer ? lr_name_get(writer, name, category) : NULL;
  if (entry == NULL) return interval;
  uint32_t lane = lr_lane_take(writer);
  if (lane == 0) return interval;
  size_t length = lr_message_cut(message, message_length);
  lr_packet packet;
  uint64_t now = lr_now(writer);
  size_t bound = signpost_id || length ? 2 * LR_ANNOTATION + length : 0;
  if (!lr_event_open(&packet, writer, now, LR_BEGIN, lr_lane_track(lane), 16 + bound)) {
    lr_lane_give(writer, lane);
    return interval;
  }
  if (category->id) lr_put_varint(&packet, LR_EVENT_CATEGORY_IIDS, category->id);
  lr_put_varint(&packet, LR_EVENT_NAME_IID, lr_name_iid(entry));
  lr_annotate_signpost(&packet, signpost_id, message, length);
  lr_event_close(&packet);
  return lr_lane_interval(writer, lane, now, entry->budget);
}

/// Ends what lies on the interval's lane. Returns the end, 0 when it was lost.
static uint64_t lr_lane_end(lr_writer *writer, lr_async interval, const char *message, size_t message_length) {
  if (!lr_lane_claim_end(interval)) return 0;
  size_t length = lr_message_cut(message, message_length);
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

void lr_async_end_recording(const char *name, lr_async interval, const char *message, size_t message_length) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  uint64_t end = lr_lane_end(writer, interval, message, message_length);
  // It held the thread if it began and ended on it; what moved had let go of it.
  if (end && end - interval.start > interval.budget && interval.thread == writer->thread && lr_is_main_thread())
    lr_flag_over_budget(writer, LR_BUDGET_INTERVAL, name, strlen(name), interval.start, end, interval.budget);
}

// MARK: Tasks

static uint32_t lr_open_tasks;

bool lr_task_begin(const char *name, size_t name_length, lr_async *task) {
  *task = (lr_async){0, 0, 0, 0, 0};
  if (name_length > LR_LONGEST_TASK || !lr_is_recording()) return false;
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return false;
  if (__atomic_add_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED) <= LR_MOST_TASKS) {
    uint32_t lane = lr_lane_take(writer);
    lr_packet packet;
    uint64_t now = lr_now(writer);
    if (lane && lr_event_open(&packet, writer, now, LR_BEGIN, lr_lane_track(lane), 48 + name_length)) {
      lr_event_name(&packet, "launchprof.task", name, name_length);
      lr_event_close(&packet);
      *task = lr_lane_interval(writer, lane, now, UINT64_MAX);
      return true;
    }
    if (lane) lr_lane_give(writer, lane);
  }
  __atomic_sub_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED);
  return false;
}

void lr_task_end(lr_async task) {
  if (task.lane == 0) return;
  __atomic_sub_fetch(&lr_open_tasks, 1, __ATOMIC_RELAXED);
  lr_writer *writer = lr_writer_get();
  if (writer) lr_lane_end(writer, task, NULL, 0);
}

// MARK: Counters and metadata

// Counters are few and known by name: a small table, kept under a lock.
#define LR_MOST_COUNTERS 256u
static struct {
  pthread_mutex_t lock;
  uint32_t count;
  const char *names[LR_MOST_COUNTERS];
  uint64_t tracks[LR_MOST_COUNTERS];
} lr_counters = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool lr_write_counter_track(lr_writer *writer, uint64_t track, const char *name, lr_unit unit) {
  lr_packet packet;
  size_t length = strlen(name);
  if (!lr_packet_open(&packet, writer, 64 + length)) return false;
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, track);
  lr_put_varint(&packet, 5, lr_process_track());
  lr_put_string(&packet, 2, name, length);
  uint32_t counter = lr_message_open(&packet, 8);
  // CounterDescriptor.Unit: 1 ns, 2 count, 3 bytes.
  lr_put_varint(&packet, 3, unit == LR_UNIT_NS ? 1 : unit == LR_UNIT_COUNT ? 2 : 3);
  lr_message_close(&packet, counter);
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
  return true;
}

/// The track of the counter `name`, made at its first value. 0 when it cannot be had.
static uint64_t lr_counter_track(lr_writer *writer, const char *name, lr_unit unit) {
  uint64_t track = 0;
  pthread_mutex_lock(&lr_counters.lock);
  uint32_t i = 0;
  while (i < lr_counters.count && lr_counters.names[i] != name) i++;
  if (i < lr_counters.count) {
    track = lr_counters.tracks[i];
  } else if (i < LR_MOST_COUNTERS) {
    uint64_t made = lr_new_track();
    if (lr_write_counter_track(writer, made, name, unit)) {
      lr_counters.names[lr_counters.count] = name;
      lr_counters.tracks[lr_counters.count++] = track = made;
    }
  }
  pthread_mutex_unlock(&lr_counters.lock);
  return track;
}

void lr_counter(const char *name, size_t name_length, lr_unit unit, double value) {
  if (!lr_is_recording()) return;
  // The writer first: in a fork there is none, and a lock might be held for ever.
  lr_writer *writer = lr_writer_get();
  const char *permanent = writer ? lr_permanent_string(name, name_length < 1024 ? name_length : 1024) : NULL;
  uint64_t track = permanent ? lr_counter_track(writer, permanent, unit) : 0;
  if (track == 0) return;
  lr_packet packet;
  uint64_t bits;
  memcpy(&bits, &value, 8);
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_COUNTER, track, 16)) return;
  lr_put_fixed64(&packet, LR_EVENT_DOUBLE_COUNTER, bits);
  lr_event_close(&packet);
}

void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length) {
  if (!lr_is_recording()) return;
  lr_writer *writer = lr_writer_get();
  const char *permanent = writer ? lr_permanent_string(key, key_length < 256 ? key_length : 256) : NULL;
  if (permanent == NULL) return;
  value_length = lr_message_cut(value, value_length);
  lr_packet packet;
  size_t bound = 64 + LR_ANNOTATION + strlen(permanent) + value_length;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, "launchprof.metadata", LR_LITERAL("metadata"));
  lr_annotate_string(&packet, permanent, value, value_length);
  lr_event_close(&packet);
}
#endif
