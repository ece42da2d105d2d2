// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"
#include "child.h"
#include "signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  lo_child child;
  /// `stat` of the program in /proc.
  char file[40];
} stopping;

/// Whether the launcher's child runs, or has ended. False if that is not known: in a pid namespace with the /proc of another one,
/// the file is that of another process, which has another parent.
static bool runs(const stopping *state) {
  char text[512];
  long descriptor = lo_system_call(SYS_openat, AT_FDCWD, (long)state->file, O_RDONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return false;
  long length = lo_system_call(SYS_read, descriptor, (long)text, sizeof text, 0);
  lo_system_call(SYS_close, descriptor, 0, 0, 0);
  // "<id> (<name>) <state> <parent> …". A name may contain anything.
  const char *end = length > 0 ? memrchr(text, ')', (size_t)length) : NULL;
  if (end == NULL || end + 4 >= text + length) return false;
  pid_t parent = 0;
  for (const char *digit = end + 4; digit < text + length && *digit >= '0' && *digit <= '9'; digit++)
    parent = parent * 10 + (*digit - '0');
  return parent == state->child.launcher && end[2] != 'T' && end[2] != 't';
}

/// Runs in a copy of the launcher's memory, until the launcher ends it.
static int continue_launcher(void *argument) {
  const stopping *state = argument;
  lo_system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  // A reader of the launcher's output waits until no process has it open.
  lo_system_call(SYS_close_range, 0, ~0U, 0, 0);
  const struct timespec pause = {0, 20000000};
  while (lo_system_call(SYS_getppid, 0, 0, 0, 0) == state->child.launcher) {
    lo_system_call(SYS_nanosleep, (long)&pause, 0, 0, 0);
    // Again and again: the launcher may stop only now.
    if (runs(state)) lo_system_call(SYS_kill, state->child.launcher, SIGCONT, 0, 0);
  }
  lo_system_call(SYS_exit_group, 0, 0, 0, 0);
  return 0;
}

void lo_stop_with(pid_t program, int signal) {
  stopping state = {.child = {0}};
  snprintf(state.file, sizeof state.file, "/proc/%d/stat", program);
  // No key may stop it, either. Without a signal at its end, wait(2) does not see it.
  pid_t child = lo_child_start(&state.child, 0, continue_launcher, &state);
  lo_stop_by(signal);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, NULL, __WALL);
    lo_child_free_stack(&state.child);
  }
}
