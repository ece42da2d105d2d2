// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchSampler.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include "CLaunchRecorder.h"
#include "lr_request.h"
#include "lr_stacks.h"
#include "lr_threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// How often the watchdog checks while nothing is over budget, ns.
#define LR_IDLE UINT64_C(4000000)
#define LR_LEAST_STACK (256u << 10)
/// After this time without an answer, ns, the watchdog gives up a thread until it answers or ends.
#define LR_PATIENCE UINT64_C(100000000)

static struct {
  pthread_mutex_t lock;
  pthread_t thread;
  /// The process that started the watchdog: a fork has no watchdog.
  pid_t process;
  bool is_started, is_joined;
  bool ends;
  lr_sampler_options options;
  lr_sampler_statistics statistics;
  /// The signal for threads that did not accept the first one: libdispatch's threads do not block it. 0 if the program
  /// uses it.
  int worker_signal;
  // The watchdog alone uses the fields below.
  uint64_t asked, waits, busy_since;
  uint32_t turn;
  /// The thread that may be busy.
  int32_t observed;
  uint32_t taken;
} lr_sampler = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lr_count(uint64_t *statistic, uint64_t add) { __atomic_fetch_add(statistic, add, __ATOMIC_RELAXED); }

// MARK: Which thread to ask

static void lr_observe(int32_t thread) {
  // Nothing is known about another thread yet: count its work from now.
  if (thread != lr_sampler.observed) lr_sampler.waits = UINT64_MAX;
  lr_sampler.observed = thread;
}

/// Reads the thread's status, proc(5). Opened each time: the program may close descriptors that it does not know
/// (closefrom(3)), and the number could then mean another file.
static void lr_read_status(int32_t thread, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, size - 1);
  text[length > 0 ? length : 0] = 0;
  if (file >= 0) close(file);
}

/// True if a thread has not waited for longer than `budget`. It runs or is ready to run (proc(5), State), and its
/// number of voluntary switches is unchanged. Work done in a phase does not count, because `turn` has changed. One
/// check costs the watchdog some 10 µs.
static bool lr_is_busy(int32_t thread, uint64_t budget, uint64_t now, uint32_t turn) {
  lr_observe(thread);
  char text[4096];
  lr_read_status(thread, text, sizeof text);
  const char *state = strstr(text, "State:\t"), *waits = strstr(text, "\nvoluntary_ctxt_switches:\t");
  uint64_t count = waits ? strtoull(waits + 26, NULL, 10) : 0;
  bool is_running = state && state[7] == 'R';
  if (!is_running || count != lr_sampler.waits || turn != lr_sampler.turn) lr_sampler.busy_since = now;
  lr_sampler.waits = count;
  lr_sampler.turn = turn;
  return is_running && now - lr_sampler.busy_since >= budget;
}

/// True if the thread that runs the main actor is over budget.
static bool lr_is_over(const lr_watched *watched, uint64_t now) {
  bool is_over = now >= watched->deadline;
  if (watched->is_held) return is_over;
  // A phase that may suspend does not tell what the first thread does, which may just wait for events. A worker that
  // has the main queue is working, even where it waits.
  if (is_over && watched->thread != (int32_t)getpid()) return true;
  uint64_t budget = is_over ? 0 : lr_sampler.options.busy_budget;
  return budget < INT64_MAX && lr_is_busy(watched->thread, budget, now, watched->turn);
}

/// The thread to ask, 0 for none.
static int32_t lr_target(uint64_t now, int *number) {
  lr_watched watched = lr_watch();
  bool accepts = watched.is_held || watched.thread == (int32_t)getpid();
  *number = accepts ? lr_sampler.options.signal : lr_sampler.worker_signal;
  if (watched.thread <= 0) lr_observe(0);
  if (watched.thread <= 0 || *number == 0) return 0;
  return lr_sampler.options.whole_launch || lr_is_over(&watched, now) ? watched.thread : 0;
}

// MARK: The watchdog

/// Unwinds and writes the stack that came, if any.
static void lr_take_answer(void) {
  const lr_snapshot *snapshot = lr_request_answer();
  if (snapshot == NULL) return;
  uint64_t before = lr_monotonic_now();
  lr_stack stack;
  lr_unwind(snapshot, lr_sampler.options.frame_pointers_first ? LR_FRAME_POINTERS_FIRST : LR_LIBUNWIND, &stack);
  bool is_written = lr_stacks_write(snapshot, &stack);
  lr_count(is_written ? &lr_sampler.statistics.samples : &lr_sampler.statistics.dropped, 1);
  lr_count(&lr_sampler.statistics.work, lr_monotonic_now() - before);
  lr_sampler.taken++;
}

/// Asks for the next stack. A request that is still open serves as the next one for a while.
static void lr_ask(int32_t thread, int number, uint64_t now) {
  if (lr_request_thread() != thread) lr_request_withdraw();
  bool is_open = lr_request_is_open();
  if (lr_sampler.options.only_running) {
    if (!is_open && !lr_request_every(thread, number, lr_sampler.options.period)) lr_count(&lr_sampler.statistics.missed, 1);
    return;
  }
  if (is_open) lr_count(&lr_sampler.statistics.missed, 1);
  if (is_open && now - lr_sampler.asked < LR_PATIENCE) return;
  lr_request_withdraw();
  lr_sampler.asked = now;
  if (!lr_request_is_open() && !lr_request_send(thread, number)) lr_count(&lr_sampler.statistics.missed, 1);
}

static void lr_stop_asking(void) {
  lr_request_withdraw();
  if (lr_sampler.options.only_running) lr_request_every(0, 0, 0);
}

static bool lr_goes_on(void) {
  if (__atomic_load_n(&lr_sampler.ends, __ATOMIC_RELAXED) || !lr_is_recording()) return false;
  lr_summary launch = lr_summary_get();
  return lr_sampler.taken < lr_sampler.options.most_samples && launch.completed == 0 && !launch.timed_out;
}

static void lr_sleep_until(uint64_t time) {
  struct timespec until = {(time_t)(time / 1000000000u), (long)(time % 1000000000u)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void *lr_watchdog(void *argument) {
  (void)argument;
  lr_write_sample_period(lr_sampler.options.period, lr_sampler.options.only_running);
  uint64_t next = lr_monotonic_now();
  while (lr_goes_on()) {
    lr_take_answer();
    if (!lr_goes_on()) break;
    uint64_t now = lr_monotonic_now();
    int number;
    int32_t thread = lr_target(now, &number);
    if (thread) lr_ask(thread, number, now);
    else lr_stop_asking();
    uint64_t step = thread ? lr_sampler.options.period : LR_IDLE, deadline = lr_watch().deadline;
    // More than a period late (the machine was busy): skip the missed stacks.
    next = next + step > now ? next + step : now + step;
    if (next > now + step) next = now + step;
    lr_sleep_until(thread == 0 && deadline < next && deadline > now ? deadline : next);
  }
  lr_stop_asking();
  if (lr_sampler.taken < lr_sampler.options.most_samples) lr_take_answer();
  lr_observe(0);
  return NULL;
}

// MARK: Start and stop

/// The watchdog must not handle the program's signals.
static int lr_start_watchdog(void) {
  sigset_t before;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Not less than other threads have: the program's thread-local variables are a part of it.
  size_t usual;
  if (pthread_attr_getstacksize(&attributes, &usual) == 0 && usual < LR_LEAST_STACK)
    pthread_attr_setstacksize(&attributes, LR_LEAST_STACK);
  lr_block_signals(&before);
  int error = pthread_create(&lr_sampler.thread, &attributes, lr_watchdog, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error == 0) pthread_setname_np(lr_sampler.thread, "launch-sampler");
  return error;
}

int lr_sampler_start(const lr_sampler_options *options) {
  // Also in a fork of a recording process. There, a thread that no longer exists may hold the lock.
  if (lr_status_get() != LR_STATUS_RECORDING) return EPERM;
  if (lr_summary_get().start_from_launcher && !options->beside_launcher) return EPERM;
  pthread_mutex_lock(&lr_sampler.lock);
  int error = lr_sampler.is_started ? EALREADY : 0;
  int number = options->signal ? options->signal : SIGURG;
  if (error == 0) error = lr_request_install(number);
  if (error == 0 && !(lr_images_start() && lr_stacks_start())) error = ENOMEM;
  if (error == 0) {
    lr_sampler.options = *options;
    lr_sampler.options.signal = number;
    lr_sampler.worker_signal = lr_request_install(SIGPROF) == 0 ? SIGPROF : 0;
    lr_sampler.busy_since = lr_monotonic_now();
    __atomic_store_n(&lr_sampler.process, getpid(), __ATOMIC_RELAXED);
    lr_watch_begin(number, lr_main_queue_owner);
    error = lr_start_watchdog();
    lr_sampler.is_started = error == 0;
  }
  pthread_mutex_unlock(&lr_sampler.lock);
  return error;
}

void lr_sampler_stop(void) {
  // In a fork, a thread that no longer exists may hold the lock.
  if (__atomic_load_n(&lr_sampler.process, __ATOMIC_RELAXED) != getpid()) return;
  pthread_mutex_lock(&lr_sampler.lock);
  // A stop before the start must not end the watchdog that starts later.
  if (lr_sampler.is_started) __atomic_store_n(&lr_sampler.ends, true, __ATOMIC_RELAXED);
  if (lr_sampler.is_started && !lr_sampler.is_joined) {
    pthread_join(lr_sampler.thread, NULL);
    lr_sampler.is_joined = true;
  }
  pthread_mutex_unlock(&lr_sampler.lock);
}

lr_sampler_statistics lr_sampler_statistics_get(void) {
  lr_sampler_statistics *now = &lr_sampler.statistics;
  return (lr_sampler_statistics){
      .samples = __atomic_load_n(&now->samples, __ATOMIC_RELAXED),
      .missed = __atomic_load_n(&now->missed, __ATOMIC_RELAXED),
      .dropped = __atomic_load_n(&now->dropped, __ATOMIC_RELAXED),
      .longest_interruption = lr_request_longest(),
      .interruptions = lr_request_time(),
      .work = __atomic_load_n(&now->work, __ATOMIC_RELAXED),
  };
}
#else
int lr_sampler_start(const lr_sampler_options *options) {
  (void)options;
  return ENOTSUP;
}
void lr_sampler_stop(void) {}
lr_sampler_statistics lr_sampler_statistics_get(void) { return (lr_sampler_statistics){0}; }
#endif
