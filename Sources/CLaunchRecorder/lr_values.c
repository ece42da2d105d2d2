#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

// Counters are few and known by name: a small table, kept under a lock.
#define LR_MOST_COUNTERS 256u
typedef struct lr_counter_entry {
  const char *name;
  uint64_t track;
} lr_counter_entry;

static struct {
  pthread_mutex_t lock;
  uint32_t count;
  lr_counter_entry *entries;
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
  if (lr_counters.entries == NULL) lr_counters.entries = lr_zeroed(LR_MOST_COUNTERS * sizeof *lr_counters.entries);
  uint32_t i = 0;
  while (i < lr_counters.count && lr_counters.entries[i].name != name) i++;
  if (i < lr_counters.count) {
    track = lr_counters.entries[i].track;
  } else if (lr_counters.entries && i < LR_MOST_COUNTERS) {
    uint64_t made = lr_new_track();
    if (lr_write_counter_track(writer, made, name, unit)) {
      lr_counters.entries[lr_counters.count++] = (lr_counter_entry){name, made};
      track = made;
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
  value_length = lr_cut(value, value_length, LR_LONGEST_MESSAGE);
  lr_budgets_label(permanent, value, value_length);
  lr_packet packet;
  size_t bound = 64 + LR_ANNOTATION + strlen(permanent) + value_length;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_METADATA, LR_LITERAL(LS_EVENT_METADATA));
  lr_annotate_string(&packet, permanent, value, value_length);
  lr_event_close(&packet);
}
#endif
