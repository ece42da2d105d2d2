// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <signal.h>

/// How many phases that may suspend are watched at once; more are not watched.
#define LR_ASYNC_WATCHES 16

int lr_watch_signal;
static uint64_t lr_watched_deadline = UINT64_MAX;
static int32_t lr_watched_thread;
static uint32_t lr_watched_turn;
/// Deadlines of open phases that may suspend; 0 for a free slot.
static uint64_t lr_async_deadlines[LR_ASYNC_WATCHES];
static int32_t (*lr_main_queue_thread)(void);
/// The function named the right thread when the thread that runs the main queue's work asked.
static bool lr_knows_main_queue;

/// Called on the thread that runs the main queue's work.
static void lr_try_main_queue(void) {
  __atomic_store_n(&lr_knows_main_queue, lr_main_queue_thread() == lr_thread_id(), __ATOMIC_RELAXED);
}

void lr_watch_begin(int number, int32_t (*main_queue_thread)(void)) {
  lr_main_queue_thread = main_queue_thread;
  if (lr_is_main_thread()) lr_try_main_queue();
  __atomic_store_n(&lr_watch_signal, number, __ATOMIC_RELEASE);
}

lr_watched lr_watch(void) {
  lr_watched watched = {.deadline = __atomic_load_n(&lr_watched_deadline, __ATOMIC_ACQUIRE)};
  watched.is_held = watched.deadline != UINT64_MAX;
  watched.turn = __atomic_load_n(&lr_watched_turn, __ATOMIC_RELAXED);
  if (watched.is_held) watched.thread = __atomic_load_n(&lr_watched_thread, __ATOMIC_RELAXED);
  else if (__atomic_load_n(&lr_knows_main_queue, __ATOMIC_RELAXED)) watched.thread = lr_main_queue_thread();
  else watched.thread = lr_process_id();
  for (int i = 0; i < LR_ASYNC_WATCHES; i++) {
    uint64_t deadline = __atomic_load_n(&lr_async_deadlines[i], __ATOMIC_RELAXED);
    if (deadline && deadline < watched.deadline) watched.deadline = deadline;
  }
  return watched;
}

static void lr_watched_set(lr_watched watched) {
  __atomic_fetch_add(&lr_watched_turn, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&lr_watched_thread, watched.thread, __ATOMIC_RELAXED);
  __atomic_store_n(&lr_watched_deadline, watched.deadline, __ATOMIC_RELEASE);
}

/// Unblocks the sampler's signal during a phase: libdispatch's threads block it. True if it was blocked.
static bool lr_accept_signal(int number) {
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, number);
  return pthread_sigmask(SIG_UNBLOCK, &one, &before) == 0 && sigismember(&before, number) == 1;
}

/// When a phase is over its budget: its own, otherwise the one of intervals.
static uint64_t lr_deadline(const lr_phase *phase) {
  uint64_t budget = lr_budget_get(LR_BUDGET_PHASE, phase->name, phase->name_length);
  if (budget == UINT64_MAX) budget = lr_budget_get(LR_BUDGET_INTERVAL, "*", 1);
  return budget > UINT64_MAX - phase->start ? UINT64_MAX : phase->start + budget;
}

void lr_watch_enter_async(lr_phase *phase) {
  lr_try_main_queue();
  uint64_t deadline = lr_deadline(phase);
  for (uint8_t i = 0; i < LR_ASYNC_WATCHES; i++) {
    uint64_t none = 0;
    if (__atomic_compare_exchange_n(&lr_async_deadlines[i], &none, deadline, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      phase->watch = i + 1;
      return;
    }
  }
}

void lr_watch_enter(lr_phase *phase) {
  phase->was_signal_blocked = lr_accept_signal(__atomic_load_n(&lr_watch_signal, __ATOMIC_RELAXED));
  phase->outer.deadline = __atomic_load_n(&lr_watched_deadline, __ATOMIC_RELAXED);
  phase->outer.thread = __atomic_load_n(&lr_watched_thread, __ATOMIC_RELAXED);
  phase->is_watched = true;
  uint64_t deadline = lr_deadline(phase);
  if (phase->outer.deadline < deadline) deadline = phase->outer.deadline;
  lr_watched_set((lr_watched){.deadline = deadline, .thread = phase->thread});
}

void lr_watch_leave(const lr_phase *phase) {
  if (phase->watch) __atomic_store_n(&lr_async_deadlines[phase->watch - 1], 0, __ATOMIC_RELAXED);
  if (!phase->is_watched) return;
  lr_watched_set(phase->outer);
  if (!phase->was_signal_blocked || phase->thread != lr_thread_id()) return;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, __atomic_load_n(&lr_watch_signal, __ATOMIC_RELAXED));
  pthread_sigmask(SIG_BLOCK, &one, NULL);
}
#endif
