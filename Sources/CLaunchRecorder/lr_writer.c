// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_chunks.h"
#include "lr_clock.h"
#include "lr_recorder.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "lr_start_code.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define LR_FIRST_NAMES 64u
#define LR_MOST_SEQUENCES 16383u
#define LR_THREAD_PACKET 160u

lr_writer lr_no_writer;
_Thread_local lr_writer *lr_current __attribute__((tls_model("initial-exec"))) = &lr_no_writer;

static struct {
  pthread_mutex_t lock;
  /// Its destructor reports that a thread has ended. Created for the first thread that can end before the process does.
  pthread_key_t key;
  bool has_key;
  pid_t process;
  uint32_t sequences;
  /// Why there was no memory for a writer.
  int error;
  uint64_t process_track, tracks;
  lr_writer *free;
  /// There is neither a free writer nor room for a new one, so that a lost event stays cheap.
  bool is_out;
  /// The writer with which recording began. A fork finds it wiped.
  const lr_writer *first;
  /// The main thread's writer, if another thread began to record, until the main thread records something itself.
  lr_writer *kept_for_main;
} lr_writers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t lr_dropped_count;
static uint64_t *lr_dropped_shown;

int lr_writer_error(void) { return lr_writers.error ? lr_writers.error : ENOMEM; }
int32_t lr_process_id(void) { return (int32_t)lr_writers.process; }

bool lr_is_recording_process(void) {
  const lr_writer *first = __atomic_load_n(&lr_writers.first, __ATOMIC_ACQUIRE);
  return first && first->end_record;
}
bool lr_is_fork(void) { return __atomic_load_n(&lr_writers.first, __ATOMIC_ACQUIRE) && !lr_is_recording_process(); }

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
  // Doubles that are not negative sort like their bits.
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

void *lr_wiped_on_fork(size_t size) {
  // MAP_NORESERVE keeps the kernel from joining the pages to a neighbour, from which madvise(2) would part them again.
  void *memory = lr_map_pages(size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (memory == MAP_FAILED) return NULL;
  if (lr_advise(memory, size, MADV_WIPEONFORK) == 0) return memory;
  int error = errno == EINVAL ? LR_NO_WIPE_ON_FORK : errno;
  munmap(memory, size);
  errno = error;
  return NULL;
}

/// Runs when the thread ends: its chunk, names table and sequence go to the next new thread.
static void lr_writer_release(void *value) {
  lr_writer *writer = value;
  lr_current = &lr_no_writer;
  if (!lr_is_recording_process()) return;
  pthread_mutex_lock(&lr_writers.lock);
  writer->next_free = lr_writers.free;
  lr_writers.free = writer;
  __atomic_store_n(&lr_writers.is_out, false, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lr_writers.lock);
}

static void lr_writer_use(lr_writer *writer, lr_chunk chunk) {
  writer->cursor = chunk.start;
  writer->end = chunk.end;
  writer->limit = chunk.end - (LR_LONGEST_PREPARED + LR_REST) + 1;
}

static lr_writer *lr_writer_new(void) {
  lr_chunk chunk;
  if (lr_writers.sequences >= LR_MOST_SEQUENCES || !lr_chunk_take(&chunk, false)) {
    __atomic_store_n(&lr_writers.is_out, true, __ATOMIC_RELAXED);
    return NULL;
  }
  // Without memory the chunk stays a filler.
  lr_writer *writer = lr_wiped_on_fork(sizeof *writer + LR_FIRST_NAMES * sizeof(lr_name));
  if (writer == NULL) {
    lr_writers.error = errno;
    return NULL;
  }
  lr_writer_use(writer, chunk);
  writer->names = (lr_name *)(void *)(writer + 1);
  writer->names_mask = (LR_FIRST_NAMES - 1) * sizeof(lr_name);
  writer->sequence = ++lr_writers.sequences;
  writer->end_record = LR_RECORD_END;
  writer->spread_mask = lr_known_spread_mask();
  return writer;
}

/// Prepares the writer of a thread that has ended for another one. The caller holds the lock.
static void lr_writer_take_over(lr_writer *writer) {
  lr_writers.free = writer->next_free;
  memset(writer->names, 0, writer->names_mask + sizeof(lr_name));
  writer->name_count = 0;
  writer->categories[0] = writer->categories[1] = 0;
  writer->costs_time = 0;
}

/// The kernel's name of a thread, PR_GET_NAME of prctl(2). Before the program runs, the first thread has its file's.
static void lr_get_thread_name(char name[16], const lr_writer *writer) {
  const char *program = writer->thread == lr_writers.process ? lr_program_at_start() : NULL;
  const char *base = program ? lr_base_name(program) : NULL;
  if (base) memcpy(name, base, lr_length(base, 15));
  else if (writer != lr_writers.kept_for_main) lr_system(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0, 0);
  else {
    // The name of another thread.
    char line[32] = "";
    size_t length = lr_read_proc("/proc/self/comm", line, sizeof line);
    memcpy(name, line, length > 0 && length <= 16 ? length - 1 : 0);
  }
}

/// The first packet of a thread on a sequence: the defaults of its events, and which thread it is.
static bool lr_write_thread(lr_writer *writer) {
  lr_packet packet;
  char name[17] = "";
  lr_get_thread_name(name, writer);
  if (!lr_writer_make_room(writer, LR_THREAD_PACKET + 64) || !lr_packet_open(&packet, writer, LR_THREAD_PACKET)) return false;
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

/// The writer that another thread has made for the main thread, NULL if none has.
static lr_writer *lr_writer_take_kept(void) {
  pthread_mutex_lock(&lr_writers.lock);
  lr_writer *writer = lr_writers.kept_for_main;
  lr_writers.kept_for_main = NULL;
  pthread_mutex_unlock(&lr_writers.lock);
  if (writer) lr_current = writer;
  return writer;
}

/// A writer for the calling thread, which has this id; NULL if there is no room for one.
static lr_writer *lr_writer_register(int32_t thread) {
  // The first thread ends with the process, so its writer is never reused.
  bool ends_early = thread != lr_writers.process;
  if (!ends_early) {
    lr_writer *kept = lr_writer_take_kept();
    if (kept) return kept;
  }
  if (__atomic_load_n(&lr_writers.is_out, __ATOMIC_RELAXED)) return NULL;
  pthread_mutex_lock(&lr_writers.lock);
  lr_writer *writer = lr_writers.free;
  if (writer) lr_writer_take_over(writer);
  else writer = lr_writer_new();
  if (ends_early && !lr_writers.has_key) lr_writers.has_key = pthread_key_create(&lr_writers.key, lr_writer_release) == 0;
  bool has_key = lr_writers.has_key;
  pthread_mutex_unlock(&lr_writers.lock);
  if (writer == NULL) return NULL;
  writer->thread = thread;
  writer->track = lr_new_track();
  // No other thread could use this writer either.
  if (!lr_write_thread(writer)) return NULL;
  if (ends_early && has_key) pthread_setspecific(lr_writers.key, writer);
  lr_current = writer;
  return writer;
}

lr_writer *lr_writer_start(void) {
  lr_writers.process = lr_current_process();
  // Half of a 64-bit space, so that ids stay nine varint bytes. SplitMix64's finaliser over values unique to this
  // start.
  uint64_t id = lr_clock_ask(CLOCK_REALTIME) ^ (uint64_t)lr_writers.process << 40;
  id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9u;
  id = (id ^ id >> 27) * 0x94d049bb133111ebu;
  lr_writers.process_track = (id ^ id >> 31) >> 2;
  lr_writer *writer = lr_writer_register(lr_program_at_start() ? lr_writers.process : lr_thread_id());
  __atomic_store_n(&lr_writers.first, writer, __ATOMIC_RELEASE);
  return writer;
}

lr_writer *lr_writer_for_main(void) {
  lr_writer *own = lr_own_writer();
  if (own == NULL || own->thread == lr_writers.process) return own;
  lr_writer *writer = lr_writer_new();
  if (writer == NULL) return own;
  writer->thread = (int32_t)lr_writers.process;
  writer->track = lr_new_track();
  lr_writers.kept_for_main = writer;
  // A trace that has so little room has none for the main thread's own events either.
  if (!lr_write_thread(writer)) lr_writers.kept_for_main = NULL;
  return lr_writers.kept_for_main ? writer : own;
}

static bool lr_writer_take_chunk(lr_writer *writer) {
  lr_chunk chunk;
  if (!lr_chunk_take(&chunk, true)) return false;
  lr_writer_use(writer, chunk);
  return true;
}

/// Runs in a fork, which must not touch what it shares with its parent.
static void lr_forget(void) {
  lr_current = &lr_no_writer;
  __atomic_store_n(&lr_recording, 0, __ATOMIC_RELAXED);
}

void lr_put_record_at(lr_writer *writer, uint64_t ns, uint64_t record) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  uint64_t stamp = lr_spread(ns);
  uint64_t sequence = lr_sequence_field(writer->sequence);
  words[1] = stamp >> 40 | (ns >> 56) << 24 | sequence << 32 | UINT64_C(0x5a) << 56;
  words[2] = record;
  lr_publish_record(writer, writer->cursor, LR_RECORD, UINT64_C(0x40160a) | stamp << 24);
}

bool lr_writer_make_room(lr_writer *writer, size_t size) {
  return lr_writer_has_room(writer, size) || (size <= LR_CHUNK - 64 && lr_writer_take_chunk(writer));
}

bool lr_writer_reserve(lr_writer *writer, size_t size) {
  if (lr_writer_make_room(writer, size)) return true;
  lr_count_dropped(1);
  return false;
}

lr_writer *lr_own_writer(void) { return lr_current == &lr_no_writer ? NULL : lr_current; }

lr_writer *lr_writer_or_none(void) {
  lr_writer *writer = lr_current;
  if (writer->cursor < writer->limit) return writer;
  // Acquires what was stored before the recording began: without `first`, this process would take itself for a fork.
  if (!__atomic_load_n(&lr_recording, __ATOMIC_ACQUIRE)) return NULL;
  // A fork finds its writer zeroed. A writer with a chunk, even a full one, belongs to the recording process.
  if (writer->limit == NULL && !lr_is_recording_process()) {
    lr_forget();
    return NULL;
  }
  if (writer == &lr_no_writer) writer = lr_writer_register(lr_thread_id());
  if (writer == NULL || writer->cursor < writer->limit || lr_writer_take_chunk(writer)) return writer;
  return NULL;
}

lr_writer *lr_writer_slow(void) {
  lr_writer *writer = lr_writer_or_none();
  if (writer == NULL && lr_is_recording()) lr_count_dropped(1);
  return writer;
}
#endif
