#define _GNU_SOURCE
#include "CLaunchObserver.h"
#include "signals.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

// The child shares the launcher's memory until execve (CLONE_VM|CLONE_VFORK, as glibc's posix_spawn does):
// - with fork, execve would have to tear down a copy of the launcher's page tables after our stamp, and the launch
//   would be charged for it;
// - the child reports errno through plain memory, so that no pipe is needed and none can leak.
typedef struct {
  const lo_request *request;
  sigset_t mask;
  uint64_t exec_ns;
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

// Which failures make execvp try the next directory of PATH.
static bool tries_next(int error) {
  return error == EACCES || error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV ||
         error == ETIMEDOUT;
}

static int child_main(void *argument) {
  child_state *state = argument;
  const lo_request *request = state->request;
  pid_t pid = getpid();
  int error = ENOENT;
  int failed = -1;
  lo_signals_restore_for_exec();
  sigprocmask(SIG_SETMASK, &state->mask, NULL);
  if (request->output >= 0) dup2(request->output, STDOUT_FILENO);
  if (request->error >= 0) dup2(request->error, STDERR_FILENO);
  for (int i = 0; request->candidates[i] != NULL; i++) {
    state->candidate = i;
    state->exec_ns = lo_now();
    if (request->stamp != NULL) put_stamp(request->stamp, pid, state->exec_ns);
    execve(request->candidates[i], request->arguments, request->environment);
    // "No permission" says more than "not found" in a later directory.
    if (error != EACCES || !tries_next(errno)) {
      error = errno;
      failed = i;
    }
    if (!tries_next(errno)) break;
  }
  // Only reached when no execve succeeded: until here `error` is 0 for the launcher.
  state->candidate = failed;
  state->error = error;
  _exit(127);
}

void lo_launch(const lo_request *request, lo_launched *launched) {
  enum { STACK_SIZE = 64 * 1024 };
  *launched = (lo_launched){.pid = -1, .pidfd = -1, .exec_ns = 0, .error = 0, .candidate = -1};
  char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) {
    launched->error = errno;
    return;
  }
  child_state state = {.request = request, .exec_ns = 0, .error = 0, .candidate = -1};
  // No handler of ours may run in the child while it shares our memory.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &state.mask);
  int pidfd = -1;
  pid_t pid = clone(child_main, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &state, &pidfd);
  int clone_error = errno;
  pthread_sigmask(SIG_SETMASK, &state.mask, NULL);
  munmap(stack, STACK_SIZE);
  if (pid < 0) {
    launched->error = clone_error;
    return;
  }
  launched->candidate = state.candidate;
  if (state.error != 0) {
    launched->error = state.error;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    if (pidfd >= 0) close(pidfd);
    return;
  }
  launched->pid = pid;
  launched->pidfd = pidfd;
  launched->exec_ns = state.exec_ns;
}
