// SPDX-License-Identifier: Apache-2.0

#include "perf.h"

#include <errno.h>
#include <unistd.h>

int lo_counter_open(lo_counted counted) {
  bool is_software = counted == LO_COUNT_PAGE_FAULTS;
  struct perf_event_attr attr = {.size = sizeof attr};
  attr.type = is_software ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
  attr.config = is_software ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_HW_INSTRUCTIONS;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  // The caller itself never executes a program, so its own part stays zero.
  attr.disabled = 1;
  attr.enable_on_exec = 1;
  attr.inherit = 1;
  int descriptor = lo_perf_open_event(&attr, 0, -1);
  return descriptor < 0 ? -errno : descriptor;
}

int lo_counter_read(int descriptor, uint64_t *count) {
  struct {
    uint64_t value, enabled, running;
  } counter;
  ssize_t size = read(descriptor, &counter, sizeof counter);
  if (size != (ssize_t)sizeof counter) return size < 0 ? errno : EIO;
  *count = counter.value;
  return counter.enabled == 0 || counter.running < counter.enabled ? ENODATA : 0;
}
