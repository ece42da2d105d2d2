// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <string.h>

// Counters are few and known by name: a small table under a lock. A thread keeps the ones it used last, with the words
// of their records.
#define LR_MOST_COUNTERS 256u
typedef struct lr_counter_entry {
  /// Permanent.
  const char *name;
  size_t length;
  uint64_t track;
  lr_unit unit;
} lr_counter_entry;

static struct {
  pthread_mutex_t lock;
  uint32_t count;
  lr_counter_entry *entries;
} lr_counter_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Identifies a name. Names of up to 16 bytes are held completely.
typedef struct lr_name_key {
  uint64_t first, last;
  size_t length;
} lr_name_key;

typedef struct lr_used_counter {
  lr_name_key key;
  /// Permanent.
  const char *name;
  /// `17 48 84 00 58 t×3 | t×6 e1 02`: type 4 and the track; the value's eight bytes follow.
  uint64_t words[2];
} lr_used_counter;

#define LR_USED_LOG2 6
struct lr_counters {
  lr_used_counter used[1 << LR_USED_LOG2];
  /// For each entry of the table: this writer has described its track.
  bool is_described[LR_MOST_COUNTERS];
};

/// `0a 26 40 ts×9 50 s s 5a | words | value`.
#define LR_COUNTER_RECORD 40

/// The counter `name`, which has this unit if it is new; NULL if there is no place for it. The caller holds the lock. Names
/// that get no place must cost no memory: they may contain what the program's users enter.
static const lr_counter_entry *lr_counter_find(const char *name, size_t length, lr_unit unit) {
  if (lr_counter_table.entries == NULL)
    lr_counter_table.entries = lr_zeroed(LR_MOST_COUNTERS * sizeof *lr_counter_table.entries);
  lr_counter_entry *entries = lr_counter_table.entries;
  for (uint32_t i = 0; i < lr_counter_table.count; i++)
    if (entries[i].length == length && memcmp(entries[i].name, name, length) == 0) return &entries[i];
  if (entries == NULL || lr_counter_table.count == LR_MOST_COUNTERS) return NULL;
  const char *permanent = lr_permanent_string(name, length);
  if (permanent == NULL) return NULL;
  lr_counter_entry *made = &entries[lr_counter_table.count++];
  *made = (lr_counter_entry){permanent, length, lr_new_track(), unit};
  return made;
}

/// The counter `name` with its track; without a name if that failed.
///
/// Each writer describes the track before its own first value. If a value precedes its track's description in the file,
/// trace_processor loses it, and the chunk of an older writer precedes that of a newer one.
static lr_counter_entry lr_counter_described(lr_writer *writer, const char *name, size_t length, lr_unit unit) {
  lr_counter_entry described = {0};
  pthread_mutex_lock(&lr_counter_table.lock);
  const lr_counter_entry *entry = lr_counter_find(name, length, unit);
  if (entry) {
    bool *is_described = &writer->counters->is_described[entry - lr_counter_table.entries];
    if (!*is_described) *is_described = lr_write_track(writer, entry->track, entry->name, entry->length, entry->unit);
    if (*is_described) described = *entry;
  } else {
    lr_count_dropped(1);
  }
  pthread_mutex_unlock(&lr_counter_table.lock);
  return described;
}

LR_INLINE lr_name_key lr_name_key_of(const char *name, size_t length) {
  if (__builtin_expect(length > 1024, 0)) length = lr_cut(name, length, 1024);
  lr_name_key key = {0, 0, length};
  if (length >= 8) {
    __builtin_memcpy(&key.first, name, 8);
    __builtin_memcpy(&key.last, name + length - 8, 8);
  } else if (length >= 4) {
    __builtin_memcpy(&key.first, name, 4);
    __builtin_memcpy(&key.last, name + length - 4, 4);
  } else if (length > 0) {
    key.first = (uint8_t)name[0] | (uint64_t)(uint8_t)name[length / 2] << 8;
    key.last = (uint8_t)name[length - 1];
  }
  return key;
}

LR_INLINE bool lr_is_counter(const lr_used_counter *counter, lr_name_key key, const char *name) {
  if (counter->key.first != key.first || counter->key.last != key.last || counter->key.length != key.length) return false;
  return counter->name && (key.length <= 16 || memcmp(counter->name, name, key.length) == 0);
}

LR_INLINE void lr_put_counter(lr_writer *writer, uint8_t *cursor, uint64_t elapsed, const lr_used_counter *counter,
                              double value) {
  uint64_t *words = (uint64_t *)(void *)cursor;
  words[1] = writer->tail;
  __builtin_memcpy(words + 2, counter->words, sizeof counter->words);
  __builtin_memcpy(words + 4, &value, 8);
  lr_publish_record(writer, cursor, LR_COUNTER_RECORD, lr_longer_head(writer, elapsed, 16));
}

/// Puts the counter into its place, where it replaces another one. False if it has no track.
static bool lr_use_counter(lr_writer *writer, lr_used_counter *counter, lr_name_key key, const char *name, lr_unit unit) {
  lr_counter_entry entry = lr_counter_described(writer, name, key.length, unit);
  if (entry.name == NULL) return false;
  uint64_t track = entry.track, spread = lr_spread(track);
  counter->key = key;
  counter->name = entry.name;
  counter->words[0] = UINT64_C(0x5800844817) | spread << 40;
  counter->words[1] = spread >> 24 | (track >> 56) << 40 | UINT64_C(0x02e1) << 48;
  return true;
}

LR_INLINE lr_used_counter *lr_counter_place(const lr_writer *writer, lr_name_key key) {
  uint64_t hash = (key.first + key.last * 3 + key.length) * UINT64_C(0x9E3779B97F4A7C15);
  return &writer->counters->used[hash >> (64 - LR_USED_LOG2)];
}

/// A counter's first use on a thread, a clock that must be calibrated, or no room.
LR_RARE static void lr_counter_slow(const char *name, size_t name_length, lr_unit unit, double value) {
  lr_name_key key = lr_name_key_of(name, name_length);
  // The writer first: a fork has none, and there a lock might be held for ever.
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  if (writer->counters == NULL && !(writer->counters = lr_wiped_on_fork(sizeof *writer->counters)))
    return lr_count_dropped(1);
  lr_used_counter *counter = lr_counter_place(writer, key);
  if (!lr_is_counter(counter, key, name) && !lr_use_counter(writer, counter, key, name, unit)) return;
  if (lr_writer_reserve(writer, LR_COUNTER_RECORD)) lr_put_counter(writer, writer->cursor, lr_elapsed(writer), counter, value);
}

void lr_counter(const char *name, size_t name_length, lr_unit unit, double value) {
  if (!lr_is_recording()) return;
  lr_writer *writer = lr_current;
  uint8_t *cursor = writer->cursor;
  lr_name_key key = lr_name_key_of(name, name_length);
  const lr_used_counter *counter = writer->counters ? lr_counter_place(writer, key) : NULL;
  uint64_t elapsed;
  bool is_common = counter && lr_is_counter(counter, key, name) && cursor < writer->limit && lr_try_elapsed(writer, &elapsed);
  if (__builtin_expect(is_common, 1)) lr_put_counter(writer, cursor, elapsed, counter, value);
  else lr_counter_slow(name, name_length, unit, value);
}
#endif
