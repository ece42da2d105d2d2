// SPDX-License-Identifier: Apache-2.0

// Clocks, pinning and child processes for the benchmarks. Linux on x86-64 and arm64.
#ifndef CMEASURE_H
#define CMEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// The cycle counter, as plainly as the machine gives it.
static inline uint64_t cm_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  uint64_t ticks;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

static inline uint64_t cm_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
static inline uint64_t cm_monotonic(void) { return cm_clock(CLOCK_MONOTONIC); }
static inline uint64_t cm_thread_cpu(void) { return cm_clock(CLOCK_THREAD_CPUTIME_ID); }
static inline uint64_t cm_process_cpu(void) { return cm_clock(CLOCK_PROCESS_CPUTIME_ID); }

/// Keeps `value` and everything that was written before it: the compiler may drop or move nothing across.
static inline void cm_keep(uint64_t value) { __asm__ __volatile__("" : : "r"(value) : "memory"); }

/// Pins the calling thread. Returns 0 or an errno.
int cm_pin(int cpu);
/// The highest CPU that the process may use, and how many there are.
int cm_last_cpu(void);
int cm_cpu_count(void);
/// Lets this process's threads called `name` run on every CPU that the process had at its start.
void cm_unpin_threads(const char *name);
/// Touches so much memory and gives it back: a virtual machine's first touch of a page costs its host several µs, which is
/// nobody's cost here.
void cm_touch_memory(uint64_t bytes);
/// Kernel id of the calling thread.
int32_t cm_thread_id(void);

/// Where two threads meet before each burst; gives the CPU away after a while.
typedef struct cm_meeting {
  uint32_t arrived, turn;
} cm_meeting;
void cm_meet(cm_meeting *meeting, uint32_t threads);

typedef struct cm_run {
  /// 0, or the errno of the start.
  int error;
  /// As waitpid reports it.
  int status;
  uint64_t wall_ns, cpu_ns, peak_bytes, minor_faults, major_faults;
} cm_run;
/// Room that `stamp` needs.
#define CM_STAMP_SIZE 48
/// Runs a program to its end with stdout and stderr in the files `output` and `errors` (NULL: thrown away).
///
/// `stamp` is NULL, or a place in one of `environment`'s strings where `<pid>:<CLOCK_MONOTONIC ns>` is put right before execve,
/// as a launcher does it.
cm_run cm_run_program(const char *path, char *const arguments[], char *const environment[], const char *output,
                      const char *errors, char *stamp);

enum { CM_TRACE_DESCRIPTOR = 100 };
/// Makes the file that a launcher prepares for the recorder: `size` bytes, one filler from end to end. CM_TRACE_DESCRIPTOR is
/// open on it, for programs to inherit. Returns 0 or an errno.
int cm_prepare_trace(const char *path, uint64_t size);
/// What a launcher says in LAUNCHPROF_CLOCK: ns a tick of the cycle counter, times 2^32. 0 when there is none.
uint64_t cm_counter_rate(void);

#endif
