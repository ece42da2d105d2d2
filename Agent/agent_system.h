// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_AGENT_SYSTEM_H
#define LAUNCHPROF_AGENT_SYSTEM_H

#include "../Sources/CLaunchRecorder/lr_system_call.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

// The system without libc: a second libc in the auditors' namespace would cost as much as the agent measures.

static inline long agent_call3(long number, long a, long b, long c) { return lr_ask_system(number, a, b, c, 0, 0, 0); }

/// Opens a file. Returns a descriptor or -errno.
static inline int agent_open(const char *path, int flags) {
  return (int)lr_ask_system(SYS_openat, -100, (long)path, flags, 0, 0, 0);
}
static inline void agent_close(int descriptor) { agent_call3(SYS_close, descriptor, 0, 0); }

/// CLOCK_MONOTONIC, ns.
uint64_t agent_now(void);
/// Finds the vDSO's clock (vdso(7)), so that reading it is no system call; NULL for none.
void agent_find_clock(const void *vdso);

#endif
