#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_clock.h"
#include "lr_recorder.h"
#include "lr_trace_file.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define LR_FIRST_NAMES_LOG2 6
#define LR_MOST_NAMES 16000u
#define LR_MOST_SEQUENCES 16383u

_Thread_local lr_writer *lr_current __attribute__((tls_model("initial-exec")));

static struct {
  pthread_mutex_t lock;
  /// Says that a thread has ended; made for the first thread that can before the process does.
  pthread_key_t key;
  bool has_key;
  pid_t process;
  uint32_t sequences;
  uint64_t process_track, tracks;
  lr_writer *free;
} lr_writers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t lr_dropped_count;
static uint64_t *lr_dropped_shown;

int32_t lr_process_id(void) { return (int32_t)lr_writers.process; }
bool lr_is_recording_process(void) { return lr_writers.process == lr_current_process(); }
uint64_t lr_process_track(void) { return lr_writers.process_track; }
uint64_t lr_new_track(void) {
  return lr_writers.process_track + __atomic_add_fetch(&lr_writers.tracks, 1, __ATOMIC_RELAXED);
}

// MARK: Lost events

void lr_count_dropped(uint64_t count) {
  double dropped = (double)__atomic_add_fetch(&lr_dropped_count, count, __ATOMIC_RELAXED);
  uint64_t *shown = __atomic_load_n(&lr_dropped_shown, __ATOMIC_ACQUIRE);
  if (shown == NULL) return;
  uint64_t bits, now = __atomic_load_n(shown, __ATOMIC_RELAXED);
  memcpy(&bits, &dropped, 8);
  // Doubles that are not negative are ordered as their bits are.
  while (now < bits && !__atomic_compare_exchange_n(shown, &now, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

uint64_t lr_dropped(void) { return __atomic_load_n(&lr_dropped_count, __ATOMIC_RELAXED); }

void lr_show_dropped_at(uint64_t *double_bits) {
  __atomic_store_n(&lr_dropped_shown, double_bits, __ATOMIC_RELEASE);
  if (lr_dropped()) lr_count_dropped(0);
}

// MARK: A thread's writer

void *lr_zeroed(size_t size) {
  void *memory = lr_map_pages(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return memory == MAP_FAILED ? NULL : memory;
}

/// Memory that a fork finds zeroed, so that a child can never write into its parent's trace.
static void *lr_map(size_t size) {
  void *memory = lr_zeroed(size);
  if (memory == NULL) return NULL;
  if (lr_advise(memory, size, MADV_WIPEONFORK) == 0) return memory;
  munmap(memory, size);
  return NULL;
}

/// The thread ends: its chunk, names table and sequence go to the next new thread.
static void lr_writer_release(void *value) {
  lr_writer *writer = value;
  lr_current = NULL;
  if (!lr_is_recording_process()) return;
  pthread_mutex_lock(&lr_writers.lock);
  writer->next_free = lr_writers.free;
  lr_writers.free = writer;
  pthread_mutex_unlock(&lr_writers.lock);
}

static void lr_writer_use(lr_writer *writer, lr_chunk chunk) {
  writer->cursor = chunk.start;
  writer->end = chunk.end;
  writer->limit = chunk.end - (LR_RECORD + LR_REST) + 1;
}

static lr_writer *lr_writer_new(void) {
  if (lr_writers.sequences >= LR_MOST_SEQUENCES) return NULL;
  lr_chunk chunk;
  if (!lr_trace_file_take_chunk(&chunk, false)) return NULL;
  // Without memory the chunk stays as it is: fillers.
  lr_writer *writer = lr_map(sizeof *writer + (sizeof(lr_name) << LR_FIRST_NAMES_LOG2));
  if (writer == NULL) return NULL;
  lr_writer_use(writer, chunk);
  writer->names = (lr_name *)(void *)(writer + 1);
  writer->names_shift = 64 - LR_FIRST_NAMES_LOG2;
  writer->sequence = ++lr_writers.sequences;
  uint64_t s = writer->sequence;
  writer->sequence_bytes = UINT64_C(0x5a) << 56 | (s >> 7) << 48 | (0x80 | (s & 0x7f)) << 40 | UINT64_C(0x50) << 32;
  return writer;
}

/// The writer of a thread that has ended, for another one. The caller holds the lock.
static void lr_writer_take_over(lr_writer *writer) {
  lr_writers.free = writer->next_free;
  memset(writer->names, 0, sizeof(lr_name) << (64 - writer->names_shift));
  writer->name_count = 0;
  writer->categories[0] = writer->categories[1] = 0;
}

/// First packet of a thread on a sequence: what its events leave out, and which thread it is.
static bool lr_write_thread(lr_writer *writer) {
  lr_packet packet;
  char name[17] = "";
  syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
  if (!lr_packet_open(&packet, writer, 160)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 1);
  lr_put_varint(&packet, LR_PACKET_FIRST_ON_SEQUENCE, 1);
  uint32_t defaults = lr_message_open(&packet, LR_PACKET_DEFAULTS);
  lr_put_varint(&packet, 58, 3);
  uint32_t event = lr_message_open(&packet, LR_PACKET_TRACK_EVENT);
  lr_put_varint(&packet, LR_EVENT_TRACK, writer->track);
  lr_message_close(&packet, event);
  lr_message_close(&packet, defaults);
  uint32_t descriptor = lr_message_open(&packet, LR_PACKET_TRACK_DESCRIPTOR);
  lr_put_varint(&packet, 1, writer->track);
  lr_put_varint(&packet, 5, lr_writers.process_track);
  uint32_t thread = lr_message_open(&packet, 4);
  lr_put_varint(&packet, 1, (uint64_t)lr_writers.process);
  lr_put_varint(&packet, 2, (uint64_t)writer->thread);
  lr_put_foreign_string(&packet, 5, name, lr_length(name, sizeof name));
  lr_message_close(&packet, thread);
  lr_message_close(&packet, descriptor);
  lr_packet_close(&packet);
  return true;
}

/// A writer for the calling thread; NULL: an event was lost, and counted.
static lr_writer *lr_writer_register(void) {
  int32_t thread = lr_thread_id();
  // The first thread ends with the process: nobody waits for its writer.
  bool ends_early = thread != lr_writers.process;
  pthread_mutex_lock(&lr_writers.lock);
  lr_writer *writer = lr_writers.free;
  if (writer) lr_writer_take_over(writer);
  else writer = lr_writer_new();
  if (ends_early && !lr_writers.has_key) lr_writers.has_key = pthread_key_create(&lr_writers.key, lr_writer_release) == 0;
  bool has_key = lr_writers.has_key;
  pthread_mutex_unlock(&lr_writers.lock);
  if (writer == NULL) {
    lr_count_dropped(1);
    return NULL;
  }
  writer->thread = thread;
  writer->track = lr_new_track();
  if (!lr_write_thread(writer)) {
    lr_writer_release(writer);
    return NULL;
  }
  if (ends_early && has_key) pthread_setspecific(lr_writers.key, writer);
  lr_current = writer;
  return writer;
}

void lr_writer_start(void) {
  lr_writers.process = lr_current_process();
  // Half of a 64-bit space, so that ids stay nine varint bytes; SplitMix64's finaliser over what no other start has.
  uint64_t id = lr_clock_read(0 /* CLOCK_REALTIME */) ^ (uint64_t)lr_writers.process << 40;
  id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9u;
  id = (id ^ id >> 27) * 0x94d049bb133111ebu;
  lr_writers.process_track = (id ^ id >> 31) >> 2;
}

static bool lr_writer_take_chunk(lr_writer *writer) {
  lr_chunk chunk;
  if (!lr_trace_file_take_chunk(&chunk, true)) return false;
  lr_writer_use(writer, chunk);
  return true;
}

/// A fork, which must not touch what it shares with its parent.
static void lr_forget(void) {
  lr_current = NULL;
  __atomic_store_n(&lr_recording, 0, __ATOMIC_RELAXED);
}

bool lr_writer_reserve(lr_writer *writer, size_t size) {
  if (lr_writer_has_room(writer, size)) return true;
  if (size <= LR_CHUNK - 64 && lr_writer_take_chunk(writer)) return true;
  lr_count_dropped(1);
  return false;
}

lr_writer *lr_writer_slow(void) {
  if (!lr_is_recording()) return NULL;
  lr_writer *writer = lr_current;
  // A fork finds zeros in its writer: one with a chunk, be it full, is that of the process that records.
  if ((writer == NULL || writer->limit == NULL) && !lr_is_recording_process()) {
    lr_forget();
    return NULL;
  }
  if (writer == NULL) writer = lr_writer_register();
  if (writer == NULL || writer->cursor < writer->limit || lr_writer_take_chunk(writer)) return writer;
  lr_count_dropped(1);
  return NULL;
}

// MARK: Names

/// Writes what a sequence must have said of a name before its first event.
static bool lr_write_name(lr_writer *writer, uint64_t iid, const char *name, const lr_category *category) {
  size_t length = strlen(name);
  bool new_category = category->id && !(writer->categories[category->id / 64] >> category->id % 64 & 1);
  size_t bound = lr_bound(length) + (new_category ? category->length : 0) + 48;
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, bound)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  uint32_t interned = lr_message_open(&packet, LR_PACKET_INTERNED_DATA);
  if (new_category) {
    uint32_t entry = lr_message_open(&packet, 1);
    lr_put_varint(&packet, 1, category->id);
    lr_put_string(&packet, 2, category->name, category->length);
    lr_message_close(&packet, entry);
    writer->categories[category->id / 64] |= UINT64_C(1) << category->id % 64;
  }
  uint32_t entry = lr_message_open(&packet, 2);
  lr_put_varint(&packet, 1, iid);
  lr_put_string(&packet, 2, name, length);
  lr_message_close(&packet, entry);
  lr_message_close(&packet, interned);
  lr_packet_close(&packet);
  return true;
}

/// `07 48 01 18 c 50 i i`, or without a category `07 48 01 50 i i i i`: the last word of a begin record.
static uint64_t lr_begin_record(uint32_t category, uint64_t iid) {
  uint64_t low = 0x80 | (iid & 0x7f), high = iid >> 7;
  if (category) return UINT64_C(0x0018014807) | (uint64_t)category << 32 | UINT64_C(0x50) << 40 | low << 48 | high << 56;
  return UINT64_C(0x50014807) | low << 32 | (0x80 | high) << 40 | UINT64_C(0x80) << 48;
}

uint64_t lr_name_iid(const lr_name *name) {
  uint32_t at = (name->record >> 24 & 0xff) == 0x18 ? 48 : 32;
  return (name->record >> at & 0x7f) | (name->record >> (at + 8) & 0x7f) << 7;
}

static lr_name *lr_name_find(lr_name *names, uint32_t shift, const char *name, const lr_category *category) {
  uint64_t mask = (UINT64_C(1) << (64 - shift)) - 1;
  for (uint64_t at = lr_name_hash(name, category) >> shift;; at = (at + 1) & mask) {
    if (names[at].name == NULL || (names[at].name == name && names[at].category == category)) return &names[at];
  }
}

/// Twice the table. The old one stays: open intervals point into it.
static bool lr_names_grow(lr_writer *writer) {
  uint32_t shift = writer->names_shift - 1;
  lr_name *names = lr_map(sizeof(lr_name) << (64 - shift));
  if (names == NULL) return false;
  for (uint64_t i = 0; i < UINT64_C(1) << (64 - writer->names_shift); i++) {
    lr_name *old = &writer->names[i];
    if (old->name) *lr_name_find(names, shift, old->name, old->category) = *old;
  }
  writer->names = names;
  writer->names_shift = shift;
  return true;
}

static const lr_category lr_no_category = {0};

const lr_name *lr_name_slow(lr_writer *writer, const char *name, const lr_category *category) {
  if (category == NULL) category = &lr_no_category;
  lr_name *entry = lr_name_find(writer->names, writer->names_shift, name, category);
  if (entry->name == NULL) {
    if (writer->name_count >= LR_MOST_NAMES) name = "(more names than a thread can have)";
    if (writer->name_count * 2 >= UINT32_C(1) << (64 - writer->names_shift) && !lr_names_grow(writer)) return NULL;
    entry = lr_name_find(writer->names, writer->names_shift, name, category);
  }
  if (entry->name == NULL) {
    uint64_t iid = writer->name_count + 1;
    if (!lr_write_name(writer, iid, name, category)) return NULL;
    *entry = (lr_name){name, category, lr_begin_record(category->id, iid),
                       lr_budget_get(LR_BUDGET_INTERVAL, name, strlen(name))};
    writer->name_count++;
  }
  // The event itself needs room behind what was just written.
  return lr_writer_reserve(writer, LR_RECORD) ? entry : NULL;
}
#endif
