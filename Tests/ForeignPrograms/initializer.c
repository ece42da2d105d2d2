// SPDX-License-Identifier: Apache-2.0

// A program with an initialiser that takes 5 ms. It prints how long that took by its own clock, in ns.
#include <stdio.h>
#include <time.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long took;

__attribute__((constructor)) static void takes_five_milliseconds(void) {
  long long begin = now();
  while (now() - begin < 5000000) {
  }
  took = now() - begin;
}

int main(void) {
  printf("%lld\n", took);
  return 3;
}
