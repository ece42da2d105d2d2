// SPDX-License-Identifier: Apache-2.0

// A library whose initialiser takes 3 ms.
#include <time.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

__attribute__((constructor)) static void takes_three_milliseconds(void) {
  long long begin = now();
  while (now() - begin < 3000000) {
  }
}
