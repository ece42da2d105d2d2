// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_threads.h"
#include "lr_chunks.h"
#include "lr_recorder.h"
#include "lr_sanitizers.h"
#include "lr_trace_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include "lr_start_code.h"

// Once chunks are filled at a rate, a helper thread prepares the next ones: page faults are most of an event's cost.
#define LR_AHEAD 32u
#define LR_REFILLS_BEFORE_AHEAD 4u
#define LR_POPULATE_AHEAD (256u << 10)

static struct {
  /// Guards the file's mapping too. Held while a chunk is made, which may take long.
  pthread_mutex_t carving;
  bool closed;
  /// The file or the disk is full, and is not asked again: a lost event must be cheap. Read without the lock.
  bool full;
  bool ahead_started;
  uint32_t refills;

  /// Guards what follows; taken inside `carving`.
  pthread_mutex_t lock;
  pthread_cond_t wanted;
  /// Oldest first, so that a thread's chunks are in the file in the order in which it got them.
  lr_chunk ready[LR_AHEAD];
  uint32_t ready_first, ready_count;
} lr_chunks = {.carving = PTHREAD_MUTEX_INITIALIZER,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .wanted = PTHREAD_COND_INITIALIZER};

/// The caller holds `carving`.
static bool lr_chunk_carve(lr_chunk *chunk, size_t populate) {
  return !lr_chunks.closed && lr_trace_file_carve(chunk, populate);
}

static bool lr_pop_ready(lr_chunk *chunk) {
  pthread_mutex_lock(&lr_chunks.lock);
  bool popped = lr_chunks.ready_count > 0;
  if (popped) {
    *chunk = lr_chunks.ready[lr_chunks.ready_first];
    lr_chunks.ready_first = (lr_chunks.ready_first + 1) % LR_AHEAD;
    lr_chunks.ready_count--;
    if (lr_chunks.ready_count == LR_AHEAD / 2) pthread_cond_signal(&lr_chunks.wanted);
  }
  pthread_mutex_unlock(&lr_chunks.lock);
  return popped;
}

/// Waits until half of the ready chunks are used.
static void lr_wait_until_wanted(void) {
  pthread_mutex_lock(&lr_chunks.lock);
  while (lr_chunks.ready_count > LR_AHEAD / 2) pthread_cond_wait(&lr_chunks.wanted, &lr_chunks.lock);
  pthread_mutex_unlock(&lr_chunks.lock);
}

static bool lr_carve_one_ahead(void) {
  lr_chunk chunk;
  pthread_mutex_lock(&lr_chunks.carving);
  bool carved = lr_chunk_carve(&chunk, LR_POPULATE_AHEAD);
  if (carved) {
    pthread_mutex_lock(&lr_chunks.lock);
    lr_chunks.ready[(lr_chunks.ready_first + lr_chunks.ready_count++) % LR_AHEAD] = chunk;
    pthread_mutex_unlock(&lr_chunks.lock);
  }
  pthread_mutex_unlock(&lr_chunks.carving);
  return carved;
}

/// The helper thread. It ends when the file is full or cut.
static void *lr_carve_ahead(void *unused) {
  bool carved = true;
  // Another thread would name this one by a file of /proc, which takes as long as a page.
  lr_system(SYS_prctl, PR_SET_NAME, (long)"launchprof", 0, 0, 0, 0);
  while (carved) {
    // Only this thread adds chunks, so there is room for as many as are missing now.
    for (uint32_t missing = LR_AHEAD / 2; carved && missing > 0; missing--) carved = lr_carve_one_ahead();
    if (carved) lr_wait_until_wanted();
  }
  return unused;
}

static void lr_start_carving_ahead(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t before;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  lr_block_signals(&before);
  // Without the helper, each thread makes the chunks that it needs: slower, but correct.
  pthread_create(&thread, &attributes, lr_carve_ahead, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

/// True if it is time for the helper thread: chunks are filled at a rate, and those that a launcher has filled run out.
static bool lr_needs_helper(void) {
  return lr_chunks.refills > LR_REFILLS_BEFORE_AHEAD && !lr_trace_file_is_prepared(2 * LR_CHUNK) && !lr_chunks.ahead_started;
}

bool lr_chunk_take(lr_chunk *chunk, bool is_refill) {
  if (__atomic_load_n(&lr_chunks.full, __ATOMIC_RELAXED)) return false;
  if (lr_pop_ready(chunk)) return true;
  // The program may look at the error of its own call after an interval.
  int saved = errno;
  pthread_mutex_lock(&lr_chunks.carving);
  // The helper may have added chunks meanwhile, which precede the one that would be made here.
  bool taken = lr_pop_ready(chunk) || lr_chunk_carve(chunk, 0);
  if (!taken) __atomic_store_n(&lr_chunks.full, true, __ATOMIC_RELAXED);
  lr_chunks.refills += is_refill;
  bool start_ahead = taken && lr_needs_helper();
  lr_chunks.ahead_started |= start_ahead;
  pthread_mutex_unlock(&lr_chunks.carving);
  if (start_ahead) lr_start_carving_ahead();
  errno = saved;
  return taken;
}

void lr_chunks_end(void) {
  pthread_mutex_lock(&lr_chunks.carving);
  if (!lr_chunks.closed) {
    lr_chunks.closed = true;
    lr_trace_file_cut();
    pthread_mutex_lock(&lr_chunks.lock);
    lr_chunks.ready_count = 0;
    pthread_cond_signal(&lr_chunks.wanted);
    pthread_mutex_unlock(&lr_chunks.lock);
  }
  pthread_mutex_unlock(&lr_chunks.carving);
}

// MARK: What was written

size_t lr_chunks_size(void) {
  lr_lock(&lr_chunks.carving);
  size_t size = lr_trace_file_carved();
  lr_unlock(&lr_chunks.carving);
  return size;
}

// ThreadSanitizer looks at atomic loads even where it is told not to look, and reports the writers' plain stores.
#if LR_IS_THREAD_SANITIZED
#define LR_LOAD_WORD(from) (*(const volatile uint64_t *)(from))
#else
#define LR_LOAD_WORD(from) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#endif

/// Reads each word after the words before it, as a reader must who meets records that are published meanwhile (D25,
/// D221). memcpy(3) reads its last bytes first, and of large blocks several pages in turn.
__attribute__((no_sanitize("thread"))) void lr_trace_copy(uint8_t *to, size_t size) {
  lr_lock(&lr_chunks.carving);
  const uint64_t *from = (const uint64_t *)(const void *)lr_trace_file_base();
  lr_unlock(&lr_chunks.carving);
  for (size_t at = 0; at + 8 <= size; at += 8) {
    uint64_t word = LR_LOAD_WORD(from + at / 8);
    memcpy(to + at, &word, 8);
  }
}
#endif
