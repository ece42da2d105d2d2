// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec t = {0, 0};
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t lo_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

#if defined(__x86_64__)
static uint64_t ticks(void) { return __builtin_ia32_rdtsc(); }
/// Invariant TSC: AMD APM 3, CPUID 8000_0007, EDX bit 8; Intel SDM 2A.
static bool has_constant_rate(void) {
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
}
#elif defined(__aarch64__)
static uint64_t ticks(void) {
  uint64_t count;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(count));
  return count;
}
static bool has_constant_rate(void) { return true; }
#else
static uint64_t ticks(void) { return 0; }
static bool has_constant_rate(void) { return false; }
#endif

/// Both clocks at one moment: the tightest of eight tries.
static void read_both(uint64_t *count, uint64_t *ns) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    uint64_t before = ticks(), now = lo_now(), gap = ticks() - before;
    if (gap >= least) continue;
    least = gap;
    *count = before + gap / 2;
    *ns = now;
  }
}

// Both clocks when this process began. A launch comes milliseconds later, so its rate needs no wait.
static uint64_t first_count, first_ns;

__attribute__((constructor)) static void read_first(void) {
  if (has_constant_rate()) read_both(&first_count, &first_ns);
}

uint64_t lo_counter_rate(void) {
  if (!has_constant_rate()) return 0;
  const uint64_t enough = 2000000, most = 1000000000;
  uint64_t count = first_count, ns = first_ns, later_count = 0, later_ns = 0;
  // In a long time, the machine may have slept: the counter goes on then, but the clock stops.
  if (lo_now() - ns > most) read_both(&count, &ns);
  const uint64_t elapsed = lo_now() - ns;
  if (elapsed < enough) {
    const struct timespec pause = {.tv_nsec = (long)(enough - elapsed)};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
  }
  read_both(&later_count, &later_ns);
  // A signal interrupted the wait at once: the recorder measures for itself.
  if (later_ns - ns < enough / 2 || later_count <= count) return 0;
  return (uint64_t)(((unsigned __int128)(later_ns - ns) << 32) / (later_count - count));
}

void lo_read_clocks(uint64_t *monotonic, uint64_t *boottime, uint64_t *realtime) {
  // The closest of eight tries: this thread may lose its CPU between two readings.
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    uint64_t before = lo_now(), boot = nanoseconds(CLOCK_BOOTTIME), real = nanoseconds(CLOCK_REALTIME);
    uint64_t gap = lo_now() - before;
    if (gap >= least) continue;
    least = gap;
    *monotonic = before + gap / 2;
    *boottime = boot;
    *realtime = real;
  }
}
