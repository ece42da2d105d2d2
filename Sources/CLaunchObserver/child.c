// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK_SIZE = 64 * 1024 };

pid_t lo_child_start(lo_child *child, int flags, int (*body)(void *), void *argument) {
  char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -1;
  *child = (lo_child){.launcher = getpid(), .stack = stack, .pidfd = -1, .in_our_memory = 1};
  // No signal handler of the launcher may run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t id = clone(body, stack + STACK_SIZE, flags, argument, &child->pidfd, NULL, &child->in_our_memory);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (id < 0) {
    lo_child_free_stack(child);
    errno = error;
  }
  return id;
}

void lo_child_free_stack(lo_child *child) { munmap(child->stack, STACK_SIZE); }
