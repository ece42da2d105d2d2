// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_CHILD_H
#define LAUNCHPROF_CHILD_H

#include "../CLaunchRecorder/lr_system_call.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

/// A system call that does not touch errno: it returns the result, or −errno.
static inline long lo_system_call(long number, long first, long second, long third, long fourth) {
  return lr_ask_system(number, first, second, third, fourth, 0, 0);
}

/// A child on a stack of its own. In the launcher's memory (CLONE_VM, CLONE_CHILD_CLEARTID with `in_our_memory`), both
/// run at the same time with one thread-local storage, so neither the child nor the code that waits may use errno.
typedef struct {
  pid_t launcher;
  void *stack;
  /// −1 without CLONE_PIDFD, and where the kernel does not know it.
  int pidfd;
  /// 1 when the child may go on.
  atomic_int gate;
  /// 1 until the kernel has taken the child out of our memory.
  atomic_int in_our_memory;
} lo_child;

/// Starts a child that runs `body` with all signals blocked: clone(2). Returns its id, or −1 with errno.
pid_t lo_child_start(lo_child *child, int flags, int (*body)(void *), void *argument);

/// Called by the launcher when a child that it has started does not use its stack any more.
void lo_child_free_stack(lo_child *child);

/// Called by the child: waits until it may go on.
static inline void lo_child_wait_at_gate(lo_child *child) {
  struct timespec second = {1, 0};
  while (atomic_load(&child->gate) == 0) {
    lo_system_call(SYS_futex, (long)&child->gate, FUTEX_WAIT, 0, (long)&second);
    // The launcher was killed, so the gate will never open.
    if (lo_system_call(SYS_getppid, 0, 0, 0, 0) != child->launcher) lo_system_call(SYS_exit_group, 127, 0, 0, 0);
  }
}

/// Called by the launcher: lets the child go on.
static inline void lo_child_open_gate(lo_child *child) {
  atomic_store(&child->gate, 1);
  lo_system_call(SYS_futex, (long)&child->gate, FUTEX_WAKE, 1, 0);
}

/// Called by the launcher: waits until the child no longer uses our memory, at most for `patience`; NULL: for ever. False
/// if it still does.
static inline bool lo_child_has_left(lo_child *child, const struct timespec *patience) {
  if (atomic_load(&child->in_our_memory) == 0) return true;
  lo_system_call(SYS_futex, (long)&child->in_our_memory, FUTEX_WAIT, 1, (long)patience);
  return atomic_load(&child->in_our_memory) == 0;
}

#endif
