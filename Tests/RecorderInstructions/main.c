// SPDX-License-Identifier: Apache-2.0

// Runs each of the recorder's operations in two processes, for scripts/count-instructions. callgrind counts
// instructions inside the functions `measured_…`. The second process stops before the operations that count. Prints
// `<process> <second process> <operation> <count>`, one line for each operation.
//
// `main times` prints what an operation takes, ns of the thread's CPU time: on fresh pages of a trace that the program
// makes itself, on fresh pages of one that a launcher has prepared, and on pages that were touched before, as later.
//
// `main prepared PATH FILLED OPERATION COUNT` prepares a trace as a launcher does. It fills so many bytes, and names
// their number if there are more than one chunk. Then it executes itself with that trace. Prints what an operation
// takes, how many page faults there were, and how many threads the process has then.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CLaunchRecorder.h"

static const lr_category *category;
static const char message[] = "settings.json";
#define LONG_MESSAGE 100
static char long_message[LONG_MESSAGE];

/// A function that does something `count` times. callgrind finds it by name, so it must not be inlined.
#define MEASURED(name, ...)                                             \
  __attribute__((noinline)) static void measured_##name(long count) {   \
    const lr_category *own = category;                                  \
    (void)own;                                                          \
    for (long i = 0; i < count; i++) {                                  \
      __VA_ARGS__                                                       \
      __asm__ __volatile__("" : : "r"(i) : "memory");                   \
    }                                                                   \
  }

MEASURED(empty_loop, )

MEASURED(pair, {
  lr_interval interval = lr_interval_begin(own, "work");
  __asm__ __volatile__("" : : "r"(i) : "memory");
  lr_interval_end(own, "work", interval);
})

MEASURED(pair_with_message, {
  lr_interval interval = lr_interval_begin_message(own, "work", 0, message, sizeof message - 1);
  __asm__ __volatile__("" : : "r"(i) : "memory");
  lr_interval_end(own, "work", interval);
})

MEASURED(pair_with_long_message, {
  lr_interval interval = lr_interval_begin_message(own, "work", 0, long_message, LONG_MESSAGE);
  __asm__ __volatile__("" : : "r"(i) : "memory");
  lr_interval_end(own, "work", interval);
})

MEASURED(begin_and_end, {
  lr_async interval = lr_async_begin(own, "interval", 0, NULL, 0);
  __asm__ __volatile__("" : : "r"(i) : "memory");
  lr_async_end(own, "interval", 0, interval, NULL, 0);
})

// Four overlapping intervals, each with an ID, as in async work. The result is for one of them.
MEASURED(async_pair, {
  lr_async intervals[4];
  for (uint64_t j = 0; j < 4; j++) intervals[j] = lr_async_begin(own, "async", j + 1, NULL, 0);
  for (uint64_t j = 0; j < 4; j++) lr_async_end(own, "async", j + 1, intervals[j], NULL, 0);
})

MEASURED(event, { lr_event(own, "event"); })
MEASURED(event_with_message, { lr_event_message(own, "event", 0, message, sizeof message - 1); })
MEASURED(counter, { lr_counter("files", 5, LR_UNIT_COUNT, (double)i); })

MEASURED(phase, {
  lr_phase phase = lr_phase_begin("did-finish-launching", 20, false);
  lr_phase_end(&phase);
})

/// The count is less than what fills four chunks. After that a helper thread makes chunks, and valgrind runs it late.
static const struct {
  const char *name;
  void (*run)(long count);
  long count, operations;
} measured[] = {
    {"empty loop", measured_empty_loop, 800, 1},
    {"pair", measured_pair, 800, 1},
    {"pair with a message", measured_pair_with_message, 400, 1},
    {"pair with a message of 100 bytes", measured_pair_with_long_message, 200, 1},
    {"begin and end", measured_begin_and_end, 600, 1},
    {"async pair with an id", measured_async_pair, 100, 4},
    {"event", measured_event, 800, 1},
    {"event with a message", measured_event_with_message, 400, 1},
    {"counter", measured_counter, 800, 1},
    {"phase", measured_phase, 100, 1},
};

/// Measures the clock, as every launch of some milliseconds does. Then keeps its line valid for ever, because drawing it
/// again depends on time, not on what is measured. Makes the names and tracks known, without a budget, which a busy
/// machine may exceed. Counting starts in a new chunk, so that it always needs the same number of chunks.
static void settle(void (*run)(long count)) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL) return;
  lr_now(writer);
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  lr_now(writer);
  writer->clock_window = UINT64_MAX;
  run(4);
  for (uint64_t i = 0; i <= writer->names_mask / sizeof *writer->names; i++) writer->names[i].budget = UINT64_MAX >> 2;
  const uint8_t *end = writer->end;
  while (writer->end == end) lr_event(category, "settle");
}

static int measure(size_t number, long count) {
  lr_options options = {0};
  if (lr_start(&options) != LR_STARTED) return 1;
  category = lr_category_make("org.example", 11, "bench", 5);
  memset(long_message, 'm', sizeof long_message);
  settle(measured[number].run);
  measured[number].run(count);
  return lr_summary_get().events_dropped > 0 ? 1 : 0;
}

/// The process that ran it, -1 if that failed.
static pid_t run(size_t number, long count) {
  pid_t process = fork();
  if (process == 0) _exit(measure(number, count));
  int status = 0;
  return process > 0 && waitpid(process, &status, 0) == process && status == 0 ? process : -1;
}

// MARK: Times

static double thread_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double time_of(void (*run)(long count), long count) {
  double before = thread_time();
  run(count);
  return (thread_time() - before) / (double)count;
}

static void two_ticks(long count) {
  for (long i = 0; i < count; i++) {
    uint64_t sum = lr_ticks() + lr_ticks();
    __asm__ __volatile__("" : : "r"(sum) : "memory");
  }
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

#define BURSTS 101
/// The median over bursts of this many operations each.
static double time_of_bursts(void (*run)(long count), long count) {
  double times[BURSTS];
  for (int i = 0; i < BURSTS; i++) {
    times[i] = time_of(run, count);
    // The helper makes new chunks for those that the burst used up.
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  qsort(times, BURSTS, sizeof times[0], by_size);
  return times[BURSTS / 2];
}

/// Starts to record, makes the operation's names known, and waits for the clock to be calibrated (a millisecond).
static bool is_ready(size_t number) {
  lr_options options = {0};
  if (lr_start(&options) != LR_STARTED) return false;
  category = lr_category_make("org.example", 11, "bench", 5);
  memset(long_message, 'm', sizeof long_message);
  measured[number].run(4);
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  measured[number].run(4);
  return true;
}

static int print_times(size_t number, double prepared) {
  if (!is_ready(number)) return 1;
  void (*run)(long count) = measured[number].run;
  double operations = (double)measured[number].operations;
  double fresh = time_of(run, measured[number].count) / operations;
  for (int i = 0; i < 8; i++) run(measured[number].count);
  double touched = time_of_bursts(run, measured[number].count) / operations, ticks = time_of_bursts(two_ticks, 1000);
  printf("%-36s %9.1f %9.1f %9.1f %9.2f\n", measured[number].name, fresh, prepared, touched, touched / ticks);
  fflush(stdout);
  return lr_summary_get().events_dropped > 0 ? 1 : 0;
}

// MARK: A prepared trace

#define CHUNK 16384
#define PREPARED_SIZE (UINT64_C(64) << 20)

static long page_faults(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : 0;
}

/// Runs in the program that a launcher has started.
static int print_first(size_t number, long count) {
  if (!is_ready(number)) return 1;
  long faults = page_faults();
  double time = time_of(measured[number].run, count) / (double)measured[number].operations;
  faults = page_faults() - faults;
  struct stat tasks;
  if (stat("/proc/self/task", &tasks) != 0) return 1;
  printf("%.1f\t%ld\t%ld\n", time, faults, (long)tasks.st_nlink - 2);
  return lr_summary_get().events_dropped > 0 ? 1 : 0;
}

/// docs/trace-format.md: a file that is one filler. Its first bytes are filled.
static bool prepare(const char *path, uint64_t filled) {
  unsigned char chunk[CHUNK] = {0}, head[16] = {0xfa, 0x80};
  for (int i = 0; i < 5; i++) head[3 + i] = (unsigned char)(((PREPARED_SIZE - 8) >> (7 * i) & 0x7f) | (i < 4 ? 0x80 : 0));
  for (int i = 0; i < 8; i++) head[8 + i] = filled > CHUNK ? (unsigned char)(filled >> (8 * i)) : 0;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool is_filled = file >= 0;
  for (uint64_t at = 0; is_filled && at < filled; at += CHUNK) is_filled = pwrite(file, chunk, CHUNK, (off_t)at) == CHUNK;
  is_filled = is_filled && pwrite(file, head, sizeof head, 0) == sizeof head && ftruncate(file, PREPARED_SIZE) == 0;
  if (file >= 0) close(file);
  return is_filled;
}

/// Executes this program with the prepared trace. Returns only if that fails.
static int launch_with(const char *path, uint64_t filled, const char *number, const char *count) {
  char start[64];
  if (!prepare(path, filled)) return 1;
  snprintf(start, sizeof start, "%d:%llu", (int)getpid(), (unsigned long long)lr_monotonic_now());
  setenv("LAUNCHPROF_START", start, 1);
  setenv("LAUNCHPROF_TRACE", path, 1);
  setenv("LAUNCHPROF_PREPARED", path, 1);
  execl("/proc/self/exe", "main", "first", number, count, NULL);
  return 1;
}

/// What an operation takes in a launch with a prepared trace, in memory; -1 on failure.
static double time_prepared(size_t number) {
  char path[64], first[24], count[24], answer[64] = "";
  int ends[2], status = 0;
  snprintf(path, sizeof path, "/dev/shm/recorder-times-%d", (int)getpid());
  snprintf(first, sizeof first, "%zu", number);
  snprintf(count, sizeof count, "%ld", measured[number].count);
  if (pipe(ends) != 0) return -1;
  pid_t process = fork();
  if (process == 0) {
    dup2(ends[1], 1);
    _exit(launch_with(path, 4 * CHUNK, first, count));
  }
  close(ends[1]);
  ssize_t length = read(ends[0], answer, sizeof answer - 1);
  close(ends[0]);
  unlink(path);
  bool is_done = process > 0 && waitpid(process, &status, 0) == process && status == 0 && length > 0;
  return is_done ? strtod(answer, NULL) : -1;
}

static int time_all(void) {
  printf("%-36s %9s %9s %9s %9s\n", "ns of CPU time", "fresh", "prepared", "touched", "/2 rdtsc");
  fflush(stdout);
  for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
    double prepared = time_prepared(i);
    if (prepared < 0) return 1;
    pid_t process = fork();
    if (process == 0) _exit(print_times(i, prepared));
    int status = 0;
    if (process < 0 || waitpid(process, &status, 0) != process || status != 0) return 1;
  }
  return 0;
}

/// The operation of that number in `measured`; 0 if there is none.
static size_t operation(const char *text) {
  size_t number = strtoul(text, NULL, 10);
  return number < sizeof measured / sizeof measured[0] ? number : 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "times") == 0) return time_all();
  if (argc == 4 && strcmp(argv[1], "first") == 0) return print_first(operation(argv[2]), strtol(argv[3], NULL, 10));
  if (argc == 6 && strcmp(argv[1], "prepared") == 0)
    return launch_with(argv[2], strtoull(argv[3], NULL, 10), argv[4], argv[5]);
  for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
    pid_t all = run(i, measured[i].count), none = run(i, 0);
    if (all < 0 || none < 0) {
      fprintf(stderr, "%s could not be recorded\n", measured[i].name);
      return 1;
    }
    printf("%d\t%d\t%s\t%ld\n", (int)all, (int)none, measured[i].name, measured[i].count * measured[i].operations);
  }
  return 0;
}
