// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "open_files.h"

#include "CLaunchObserver.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
  /// What the launcher needs besides perf events.
  FILES = 256,
  /// Perf events of one CPU: two rings, samples, faults, waits, where dlopen begins and returns, probes.
  FILES_OF_CPU = 32,
};

static bool is_raised;
static struct rlimit former;

// No more than that: some programs that the launcher starts close all descriptors up to the limit, one by one.
void lo_open_files_raise(void) {
  struct rlimit limit;
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  rlim_t wanted = FILES + FILES_OF_CPU * (rlim_t)(cpus > 0 ? cpus : 1);
  if (is_raised || getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  former = limit;
  if (wanted > limit.rlim_max) wanted = limit.rlim_max;
  if (wanted <= limit.rlim_cur) return;
  limit.rlim_cur = wanted;
  is_raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

void lo_open_files_restore_for_exec(void) {
  if (is_raised) setrlimit(RLIMIT_NOFILE, &former);
}

void lo_open_files_restore(void) {
  lo_open_files_restore_for_exec();
  is_raised = false;
}
