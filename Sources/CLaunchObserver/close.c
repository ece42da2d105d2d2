// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"
#include "child.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  lo_child child;
  int descriptor;
} closing;

static int close_last(void *argument) {
  closing *state = argument;
  const long descriptor = state->descriptor;
  // A reader of the launcher's output waits until no process has it open.
  lo_system_call(SYS_close_range, 0, descriptor - 1, 0, 0);
  lo_system_call(SYS_close_range, descriptor + 1, ~0U, 0, 0);
  // Until only the child has the descriptor.
  lo_child_wait_at_gate(&state->child);
  // The kernel releases the memory first, then it closes the descriptor.
  _exit(0);
}

/// The children that are not reaped yet; 0 for none.
static pid_t children[16];
enum { PLACES = sizeof children / sizeof *children };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// A place for one more child; NULL for none. The lock is held.
static pid_t *free_place(void) {
  pid_t *place = NULL;
  for (int i = 0; i < PLACES; i++) {
    if (children[i] != 0 && waitpid(children[i], NULL, WNOHANG | __WALL) != 0) children[i] = 0;
    if (children[i] == 0) place = &children[i];
  }
  return place;
}

void lo_close_aside(int descriptor) {
  pthread_mutex_lock(&lock);
  pid_t *place = descriptor > 0 ? free_place() : NULL;
  closing state = {.descriptor = descriptor};
  // Without a signal at its end, wait(2) does not see it.
  enum { FLAGS = CLONE_VM | CLONE_CHILD_CLEARTID };
  pid_t child = place == NULL ? -1 : lo_child_start(&state.child, FLAGS, close_last, &state);
  close(descriptor);
  if (child > 0) {
    *place = child;
    lo_child_open_gate(&state.child);
    while (!lo_child_has_left(&state.child, NULL)) {
    }
    lo_child_free_stack(&state.child);
  }
  pthread_mutex_unlock(&lock);
}

bool lo_closes_aside(pid_t process) {
  bool is_found = false;
  // While a child is being made, this waits until its place is known.
  pthread_mutex_lock(&lock);
  for (int i = 0; i < PLACES && process > 0; i++) is_found = is_found || children[i] == process;
  pthread_mutex_unlock(&lock);
  return is_found;
}
