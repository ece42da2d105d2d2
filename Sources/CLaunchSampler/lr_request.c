// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_request.h"

#include "CLaunchRecorder.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/// The state of the only request. The handler answers only a wanted one, so a signal that comes late, or from another
/// sender, does nothing.
enum { LR_NONE, LR_WANTED, LR_FILLING, LR_FULL };

static struct {
  int state;
  int32_t wanted;
  lr_snapshot snapshot;
  uint64_t longest, time;
  timer_t timer;
  int32_t timer_thread;
  int timer_signal;
} lr_request;

/// Claims the request, once, for the thread that was asked.
static bool lr_claim(int32_t thread) {
  int wanted = LR_WANTED;
  return thread == __atomic_load_n(&lr_request.wanted, __ATOMIC_RELAXED) &&
         __atomic_compare_exchange_n(&lr_request.state, &wanted, LR_FILLING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/// Runs on the sampled thread. Async-signal-safe, waits for nothing, does not change errno.
static void lr_answer(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  int error = errno;
  if (__atomic_load_n(&lr_request.state, __ATOMIC_RELAXED) == LR_WANTED) {
    int32_t thread = (int32_t)syscall(SYS_gettid);
    if (lr_claim(thread)) {
      lr_snapshot_take(&lr_request.snapshot, context);
      lr_request.snapshot.thread = thread;
      uint64_t took = lr_monotonic_now() - lr_request.snapshot.time;
      if (took > lr_request.longest) __atomic_store_n(&lr_request.longest, took, __ATOMIC_RELAXED);
      __atomic_store_n(&lr_request.time, lr_request.time + took, __ATOMIC_RELAXED);
      __atomic_store_n(&lr_request.state, LR_FULL, __ATOMIC_RELEASE);
    }
  }
  errno = error;
}

int lr_request_install(int number) {
  struct sigaction old, action;
  if (sigaction(number, NULL, &old) != 0) return errno;
  // The same signal for all threads, or a start that is tried again.
  if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction == lr_answer) return 0;
  bool is_free = !(old.sa_flags & SA_SIGINFO) && (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN);
  if (!is_free) return EBUSY;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = lr_answer;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  // No other handler runs on top of this one.
  sigfillset(&action.sa_mask);
  // The handler is never removed: a signal may be on its way when sampling ends.
  return sigaction(number, &action, NULL) == 0 ? 0 : errno;
}

static void lr_want(int32_t thread) {
  __atomic_store_n(&lr_request.wanted, thread, __ATOMIC_RELAXED);
  __atomic_store_n(&lr_request.state, LR_WANTED, __ATOMIC_RELEASE);
}

bool lr_request_send(int32_t thread, int number) {
  lr_want(thread);
  if (syscall(SYS_tgkill, getpid(), thread, number) == 0) return true;
  lr_request_withdraw();
  return false;
}

bool lr_request_every(int32_t thread, int number, uint64_t period) {
  if (thread != lr_request.timer_thread || number != lr_request.timer_signal) {
    if (lr_request.timer_thread) timer_delete(lr_request.timer);
    lr_request.timer_thread = 0;
    if (thread == 0) return true;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = number;
    event.sigev_notify_thread_id = thread;
    // The CPU clock of a thread (posix-timers_types.h): the inverted id, the flag for a thread, the scheduler's clock.
    clockid_t clock = (clockid_t)(~(uint32_t)thread << 3 | 4 | 2);
    if (timer_create(clock, &event, &lr_request.timer) != 0) return false;
    struct itimerspec times = {.it_interval.tv_nsec = (long)period, .it_value.tv_nsec = (long)period};
    timer_settime(lr_request.timer, 0, &times, NULL);
    lr_request.timer_thread = thread;
    lr_request.timer_signal = number;
  }
  if (thread) lr_want(thread);
  return true;
}

const lr_snapshot *lr_request_answer(void) {
  if (__atomic_load_n(&lr_request.state, __ATOMIC_ACQUIRE) != LR_FULL) return NULL;
  __atomic_store_n(&lr_request.state, LR_NONE, __ATOMIC_RELAXED);
  return &lr_request.snapshot;
}

bool lr_request_is_open(void) {
  int state = __atomic_load_n(&lr_request.state, __ATOMIC_RELAXED);
  return state == LR_WANTED || state == LR_FILLING;
}

int32_t lr_request_thread(void) { return __atomic_load_n(&lr_request.wanted, __ATOMIC_RELAXED); }

void lr_request_withdraw(void) {
  int wanted = LR_WANTED;
  __atomic_compare_exchange_n(&lr_request.state, &wanted, LR_NONE, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

uint64_t lr_request_longest(void) { return __atomic_load_n(&lr_request.longest, __ATOMIC_RELAXED); }
uint64_t lr_request_time(void) { return __atomic_load_n(&lr_request.time, __ATOMIC_RELAXED); }
#endif
