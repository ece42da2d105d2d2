// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_clock.h"
#include "lr_recorder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#define LR_ALWAYS_RUNS
#include "lr_start_code.h"

// The launcher takes its stamp 5 to 6 µs before the system call.
#define LR_LAUNCHER_ERROR UINT64_C(6000)
// A program that is loaded waits no longer than this for anything but a disk.
#define LR_LONGEST_WAIT UINT64_C(100000000)

size_t lr_read_proc(const char *path, char *text, size_t size) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ssize_t length = read(descriptor, text, size - 1);
  close(descriptor);
  if (length < 0) length = 0;
  text[length] = 0;
  return (size_t)length;
}

const char *lr_stat_field(const char *text, int number) {
  // The second field is a name in parentheses, which may itself hold spaces and parentheses.
  const char *at = strrchr(text, ')');
  for (int field = 2; at && field < number; field++) at = strchr(at + 1, ' ');
  return at ? at + 1 : NULL;
}

/// Time spent runnable without running, ns: the second field of /proc/self/schedstat (sched-stats, kernel docs).
static uint64_t lr_run_delay(void) {
  char text[128];
  uint64_t on_cpu, waiting = 0;
  if (lr_read_proc("/proc/self/schedstat", text, sizeof text) == 0) return 0;
  const char *rest = lr_parse_decimal(text, &on_cpu);
  if (*rest == ' ') lr_parse_decimal(rest + 1, &waiting);
  return waiting;
}

/// When the process was forked, ns of CLOCK_BOOTTIME, 0 if unknown: proc(5), /proc/pid/stat field 22, in clock ticks.
static uint64_t lr_fork_time(void) {
  char text[1024];
  if (lr_read_proc("/proc/self/stat", text, sizeof text) == 0) return 0;
  const char *start = lr_stat_field(text, 22);
  long ticks_per_second = sysconf(_SC_CLK_TCK);
  if (start == NULL || ticks_per_second <= 0) return 0;
  uint64_t ticks;
  lr_parse_decimal(start, &ticks);
  return ticks * (1000000000u / (uint64_t)ticks_per_second);
}

/// `<pid>:<ns>`, used only if the pid is that of this process.
static bool lr_parse_launcher(const char *text, uint64_t *start) {
  uint64_t process;
  const char *rest = lr_parse_decimal(text, &process);
  if (*rest != ':' || process != (uint64_t)lr_current_process()) return false;
  rest = lr_parse_decimal(rest + 1, start);
  return *rest == 0 && *start > 0 && *start <= lr_start_of_process.preinit;
}

void lr_process_start_find(const char *launcher) {
  lr_process_start *found = &lr_start_of_process;
  found->preinit = lr_clock_ask(CLOCK_MONOTONIC);
  found->process = lr_current_process();
  found->from_launcher = launcher && lr_parse_launcher(launcher, &found->start);
  if (found->from_launcher) {
    found->error = LR_LAUNCHER_ERROR;
    return;
  }
  found->suspended_at_preinit = lr_clock_ask(CLOCK_BOOTTIME) - found->preinit;
  found->cpu_at_preinit = lr_clock_ask(CLOCK_PROCESS_CPUTIME_ID);
}

/// `time - less`, or 0. The threads of a process can use more processor time than has passed since the boot.
static uint64_t lr_less(uint64_t time, uint64_t less) { return time > less ? time - less : 0; }

/// Since its start the process was running, waiting to run, or blocked. The totals of the first two are known. How much
/// of the waiting and blocking came before the program's first moment is unknown: the estimate takes the middle.
static uint64_t lr_estimate(uint64_t *spread) {
  uint64_t delay = lr_run_delay(), running = lr_clock_read(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t latest = lr_less(lr_clock_read(CLOCK_MONOTONIC), running + delay);
  uint64_t earliest = lr_less(lr_start_of_process.preinit, lr_start_of_process.cpu_at_preinit + delay);
  if (latest > lr_start_of_process.preinit) latest = lr_start_of_process.preinit;
  *spread = latest > earliest ? (latest - earliest) / 2 : 0;
  return earliest + *spread;
}

/// How far CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC: the time the machine has slept. The least of three readings,
/// because the thread may be off the CPU between the two clocks.
static uint64_t lr_suspended(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    uint64_t monotonic = lr_clock_read(CLOCK_MONOTONIC), ahead = lr_clock_read(CLOCK_BOOTTIME) - monotonic;
    if (ahead < least) least = ahead;
  }
  return least;
}

/// The kernel keeps the time of the fork over execve(2). A script, or a container's runtime, may wait in between: its
/// waits are not the program's (D364).
static bool lr_has_waited_before_exec(uint64_t forked) {
  struct rusage used;
  bool is_late = lr_start_of_process.start > forked + LR_LONGEST_WAIT;
  // Not its major page faults: the trace's own file has some.
  return is_late && getrusage(RUSAGE_SELF, &used) == 0 && used.ru_inblock == 0;
}

/// The launch of a fork that did not execute a program begins at the fork. Loading, initialisers and the start of `main`
/// are its parent's.
static void lr_begin_at_fork(uint64_t earliest, uint64_t latest) {
  lr_process_start *found = &lr_start_of_process;
  uint64_t before = found->main_entry ? found->main_entry : found->preinit;
  found->start = earliest > before ? earliest : before;
  found->error = lr_less(latest, found->start);
  found->preinit = found->main_entry = 0;
}

void lr_process_start_bound(void) {
  lr_process_start *found = &lr_start_of_process;
  if (found->start) return;
  bool is_fork = found->process != lr_current_process();
  uint64_t spread;
  found->start = lr_estimate(&spread);
  uint64_t fork = lr_fork_time();
  uint64_t suspended = lr_suspended(), before_launch = found->suspended_at_preinit;
  // The machine may have slept since the first moment, but before a fork.
  if (!is_fork && before_launch < suspended) suspended = before_launch;
  bool is_known = fork > 0 && fork >= suspended && (is_fork || fork - suspended <= found->preinit);
  if (is_fork && !is_known) return lr_begin_at_fork(0, lr_clock_read(CLOCK_MONOTONIC));
  if (!is_known) {
    found->error = found->preinit - found->start > spread ? found->preinit - found->start : spread;
    return;
  }
  uint64_t earliest = fork - suspended, latest = earliest + 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
  if (is_fork) return lr_begin_at_fork(earliest, latest);
  if (latest > found->preinit) latest = found->preinit;
  if (lr_has_waited_before_exec(latest)) {
    found->error = found->start - earliest;
    return;
  }
  if (found->start < earliest) found->start = earliest;
  if (found->start > latest) found->start = latest;
  uint64_t before = found->start - earliest, after = latest - found->start;
  found->error = before > after ? before : after;
}
#endif
