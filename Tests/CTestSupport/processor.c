// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"
#include <sched.h>

void ct_keep_on_one_processor(bool keep) {
  static _Thread_local cpu_set_t before;
  if (!keep) {
    sched_setaffinity(0, sizeof before, &before);
    return;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  sched_getaffinity(0, sizeof before, &before);
  sched_setaffinity(0, sizeof one, &one);
}
