// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool ct_may_observe(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = (unsigned long)ct_may_observe;
  attr.bp_len = sizeof(long);
  attr.disabled = attr.exclude_kernel = attr.exclude_hv = 1;
  int descriptor = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}
