// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

int ct_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[], const char *directory,
             const int streams[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    // A test runner blocks and ignores signals. The child starts as if from a shell.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    for (int i = 0; i < 3 && !error; i++) error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!error && directory) error = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (!error) error = posix_spawn(pid, path, &actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int ct_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

// By its number: glibc has had it by name since 2.36.
int ct_open_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

pid_t ct_fork(void) { return fork(); }

pid_t ct_thread_id(void) { return gettid(); }
