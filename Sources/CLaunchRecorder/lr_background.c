// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_spool.h"
#include "include/lr_threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define LR_ALWAYS_RUNS
#include "lr_start_code.h"

/// A record takes less than a millisecond to write. A disk that hangs must not hold up the exit for ever.
#define LR_LONGEST_WAIT_S 2

static struct {
  pthread_mutex_t lock;
  /// Made with `process`.
  pthread_cond_t changed;
  unsigned running;
  /// The process that owns the threads. A fork has none of them.
  pid_t process;
} lr_works = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef struct lr_work {
  void (*function)(void *context);
  void *context;
} lr_work;

/// The first work of this process. The caller holds the lock.
static void lr_own_works(pid_t process) {
  lr_works.running = 0;
  // The wall clock may be set while the exit waits.
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&lr_works.changed, &attributes);
  // The exit reads it without the lock.
  __atomic_store_n(&lr_works.process, process, __ATOMIC_RELAXED);
}

static void lr_count_work(int change) {
  pid_t process = getpid();
  pthread_mutex_lock(&lr_works.lock);
  if (lr_works.process != process) lr_own_works(process);
  lr_works.running += (unsigned)change;
  pthread_cond_broadcast(&lr_works.changed);
  pthread_mutex_unlock(&lr_works.lock);
}

static void *lr_do_work(void *pointer) {
  lr_work work = *(lr_work *)pointer;
  free(pointer);
  work.function(work.context);
  lr_count_work(-1);
  return NULL;
}

bool lr_background(void (*function)(void *context), void *context) {
  lr_work *work = malloc(sizeof *work);
  if (work == NULL) return false;
  *work = (lr_work){function, context};
  sigset_t before;
  lr_block_signals(&before);
  lr_count_work(1);
  pthread_t thread;
  bool is_made = pthread_create(&thread, NULL, lr_do_work, work) == 0;
  if (is_made) {
    pthread_detach(thread);
  } else {
    lr_count_work(-1);
    free(work);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_made;
}

/// What the thread of the repeated work does.
enum { LR_IDLE, LR_WORKS, LR_IS_WANTED };

static struct {
  /// Stored last: other threads ask whether there is one.
  void (*function)(void *context);
  void *context;
  int state;
} lr_repeated;

static void lr_repeat(void *unused) {
  (void)unused;
  int state;
  do {
    __atomic_store_n(&lr_repeated.state, LR_WORKS, __ATOMIC_SEQ_CST);
    __atomic_load_n(&lr_repeated.function, __ATOMIC_ACQUIRE)(lr_repeated.context);
    state = LR_WORKS;
  } while (!__atomic_compare_exchange_n(&lr_repeated.state, &state, LR_IDLE, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

void lr_background_again(void) {
  if (__atomic_load_n(&lr_repeated.function, __ATOMIC_ACQUIRE) == NULL) return;
  bool is_idle = __atomic_exchange_n(&lr_repeated.state, LR_IS_WANTED, __ATOMIC_SEQ_CST) == LR_IDLE;
  if (is_idle && !lr_background(lr_repeat, NULL)) __atomic_store_n(&lr_repeated.state, LR_IDLE, __ATOMIC_SEQ_CST);
}

bool lr_background_repeatedly(void (*work)(void *context), void *context) {
  if (__atomic_load_n(&lr_repeated.function, __ATOMIC_RELAXED)) return false;
  lr_repeated.context = context;
  __atomic_store_n(&lr_repeated.function, work, __ATOMIC_RELEASE);
  lr_background_again();
  return true;
}

__attribute__((destructor)) static void lr_wait_for_work(void) {
  // In a fork, a thread that no longer exists may hold the lock. Most programs have no work, and must not pay for libc's
  // page with getpid.
  pid_t owner = __atomic_load_n(&lr_works.process, __ATOMIC_RELAXED);
  if (owner == 0 || owner != getpid()) return;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += LR_LONGEST_WAIT_S;
  pthread_mutex_lock(&lr_works.lock);
  while (lr_works.running > 0 && pthread_cond_timedwait(&lr_works.changed, &lr_works.lock, &until) == 0) {}
  pthread_mutex_unlock(&lr_works.lock);
}
#endif
