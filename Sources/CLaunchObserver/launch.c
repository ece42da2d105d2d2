// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"
#include "child.h"
#include "open_files.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

// The child shares the launcher's memory until execve (CLONE_VM, as glibc's posix_spawn does):
// - with fork, execve would have to tear down a copy of the launcher's page tables after our stamp, and the launch
//   would be charged for it;
// - the child reports errno through plain memory, so that no pipe is needed and none can leak.
// It is not CLONE_VFORK, because the child waits at a gate while the launcher prepares to observe it. The launcher then
// waits until the kernel clears `in_our_memory` (CLONE_CHILD_CLEARTID). The kernel does that when execve has taken the
// child out of our memory, or when the child has ended.
typedef struct {
  const lo_request *request;
  lo_child child;
  sigset_t mask;
  uint64_t exec_ns, cpu_ns;
  int error;
  int candidate;
} child_state;

static char *put_decimal(char *at, uint64_t value) {
  char digits[20];
  int n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (n > 0) *at++ = digits[--n];
  return at;
}

static void put_stamp(char *at, pid_t pid, uint64_t ns) {
  at = put_decimal(at, (uint64_t)pid);
  *at++ = ':';
  *put_decimal(at, ns) = 0;
}

// Failures after which execvp tries the next directory of PATH.
static bool tries_next(int error) {
  return error == EACCES || error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV ||
         error == ETIMEDOUT;
}

static uint64_t own_cpu_time(void) {
  struct timespec time = {0, 0};
  lo_system_call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&time, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void spend(uint64_t ns) {
  if (ns == 0) return;
  uint64_t start = own_cpu_time();
  while (own_cpu_time() - start < ns) {
  }
}

static int child_main(void *argument) {
  child_state *state = argument;
  const lo_request *request = state->request;
  pid_t pid = getpid();
  int error = ENOENT;
  int failed = -1;
  lo_child_wait_at_gate(&state->child);
  lo_open_files_restore_for_exec();
  lo_signals_restore_for_exec(&state->mask);
  if (request->directory != NULL && chdir(request->directory) != 0) {
    state->candidate = LO_NO_DIRECTORY;
    state->error = errno;
    _exit(127);
  }
  if (request->output >= 0) dup2(request->output, STDOUT_FILENO);
  if (request->error >= 0) dup2(request->error, STDERR_FILENO);
  if (request->inherited >= 0) lo_system_call(SYS_fcntl, request->inherited, F_SETFD, 0, 0);
  for (char *const *id = request->ids; id != NULL && *id != NULL; id++) *put_decimal(*id, (uint64_t)pid) = 0;
  for (int i = 0; request->candidates[i] != NULL; i++) {
    state->candidate = i;
    state->cpu_ns = own_cpu_time();
    state->exec_ns = lo_now();
    if (request->stamp != NULL) put_stamp(request->stamp, pid, state->exec_ns);
    spend(request->delay_ns);
    int reason = (int)-lo_system_call(
      SYS_execve, (long)request->candidates[i], (long)request->arguments, (long)request->environment, 0);
    // "No permission" is more useful than "not found" in a later directory.
    if (error != EACCES || !tries_next(reason)) {
      error = reason;
      failed = i;
    }
    if (!tries_next(reason)) break;
  }
  // Only reached if no execve succeeded. Until here the launcher sees 0 in `error`.
  state->candidate = failed;
  state->error = error;
  _exit(127);
}

// A signal that came while the child waited at the gate stops the child now: any signal if we trace it, otherwise a stop
// signal (Ctrl-Z). We wait for the child, so nothing but this lets it run on. No program has begun that could stop.
static void resume(pid_t pid) {
  siginfo_t info = {.si_pid = 0};
  long error = lo_system_call(SYS_waitid, P_PID, pid, (long)&info, WSTOPPED | WNOHANG | WNOWAIT);
  int event = info.si_status >> 8, signal = info.si_status & 0xff;
  if (error != 0 || info.si_pid != pid || event == PTRACE_EVENT_EXEC) return;
  bool is_passed_on = event == 0 && signal != SIGSTOP && signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU;
  if (info.si_code == CLD_TRAPPED) lo_system_call(SYS_ptrace, PTRACE_CONT, pid, 0, is_passed_on ? signal : 0);
  else lo_system_call(SYS_kill, pid, SIGCONT, 0, 0);
}

void lo_launch(const lo_request *request, lo_launched *launched) {
  *launched = (lo_launched){.pid = -1, .pidfd = -1, .exec_ns = 0, .error = 0, .candidate = -1};
  child_state state = {.request = request, .candidate = -1};
  // Until the child has left: a signal handler of the launcher would use the errno that the child uses.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &state.mask);
  enum { FLAGS = CLONE_VM | CLONE_CHILD_CLEARTID | CLONE_PIDFD | SIGCHLD };
  pid_t pid = lo_child_start(&state.child, FLAGS, child_main, &state);
  int clone_error = errno;
  if (pid >= 0) {
    if (request->prepare != NULL) request->prepare(request->context, pid);
    lo_child_open_gate(&state.child);
    // It leaves within less than a millisecond, unless a signal has stopped it.
    const struct timespec patience = {.tv_nsec = 10000000};
    while (!lo_child_has_left(&state.child, &patience)) resume(pid);
    lo_child_free_stack(&state.child);
  }
  pthread_sigmask(SIG_SETMASK, &state.mask, NULL);
  launched->begin_ns = lo_now();
  if (pid < 0) {
    launched->error = clone_error;
    return;
  }
  launched->candidate = state.candidate;
  if (state.error != 0) {
    launched->error = state.error;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (state.child.pidfd >= 0) close(state.child.pidfd);
    return;
  }
  launched->pid = pid;
  launched->pidfd = state.child.pidfd;
  // The child was killed before it could try. Its exit status can still be collected.
  launched->exec_ns = state.exec_ns != 0 ? state.exec_ns : lo_now();
  launched->cpu_ns = state.cpu_ns;
  if (launched->candidate < 0) launched->candidate = 0;
}
