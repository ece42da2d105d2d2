// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_C_TEST_TERMINAL_H
#define LAUNCHPROF_C_TEST_TERMINAL_H

#include <sys/types.h>

/// Starts a program as the leader of a session on a new terminal of 24 × 100 characters, with no signal blocked or
/// ignored. Returns its process id and where to type and read, or -errno.
pid_t ct_spawn_on_terminal(
  const char *program, char *const *arguments, char *const *environment, const char *directory, int *keyboard);

#endif
