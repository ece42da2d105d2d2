// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdint.h>
#include <time.h>

/// When an initialiser began and ended, CLOCK_MONOTONIC ns.
struct slow_span {
  int64_t start, end;
};

#ifdef __cplusplus
extern "C" {
#endif

/// What a C constructor function and the constructor of a C++ global took, before main.
struct slow_span slow_c(void);
struct slow_span slow_cxx(void);

static inline int64_t slow_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// Takes 5 ms, and says when.
static inline struct slow_span slow_work(void) {
  struct slow_span span;
  const struct timespec five_ms = {0, 5000000};
  span.start = slow_now();
  nanosleep(&five_ms, 0);
  span.end = slow_now();
  return span;
}

#ifdef __cplusplus
}
#endif
