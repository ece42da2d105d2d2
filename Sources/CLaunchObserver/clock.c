#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <time.h>

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec t = {0, 0};
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t lo_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

void lo_read_clocks(uint64_t *monotonic, uint64_t *boottime, uint64_t *realtime) {
  *monotonic = nanoseconds(CLOCK_MONOTONIC);
  *boottime = nanoseconds(CLOCK_BOOTTIME);
  *realtime = nanoseconds(CLOCK_REALTIME);
}
