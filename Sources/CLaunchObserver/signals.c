// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "signals.h"

#include "CLaunchObserver.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
  int signal;
  bool caught;
} watched[] = {
  {SIGCHLD, true}, {SIGINT, true},  {SIGQUIT, true},  {SIGTERM, true},  {SIGHUP, true},
  {SIGUSR1, true}, {SIGUSR2, true}, {SIGALRM, true}, {SIGTSTP, false}, {SIGTTIN, false}, {SIGTTOU, false},
  // The shell's `ulimit -f`: a trace that is too long is an error with a message.
  {SIGXFSZ, false},
  // A reader of the messages (`2>&1 | head`) that has enough ends no launch.
  {SIGPIPE, false},
};
enum { WATCHED = sizeof watched / sizeof watched[0] };

static atomic_bool watching;
static struct sigaction former[WATCHED];
static int pipe_ends[2] = {-1, -1};
/// The caught signals that the launcher's parent blocked. They must reach the launcher, and programs must still have them blocked.
static sigset_t unblocked;

// The C library hides these two signals from programs, and uses one of them from the first thread on. If the launcher's
// parent ignored them, the program must ignore them too. So ask the kernel directly.
enum { FIRST_RESERVED = 32, RESERVED = 2 };
/// The kernel's layout on x86-64 and arm64: handler, flags, restorer, mask.
typedef struct {
  void (*handler)(int);
  unsigned long flags;
  void *restorer;
  uint64_t mask;
} kernel_action;
static bool is_reserved_ignored[RESERVED];

static void remember_reserved(void) {
  for (int i = 0; i < RESERVED; i++) {
    kernel_action action = {.handler = SIG_DFL};
    bool is_known = syscall(SYS_rt_sigaction, FIRST_RESERVED + i, NULL, &action, sizeof action.mask) == 0;
    is_reserved_ignored[i] = is_known && action.handler == SIG_IGN;
  }
}

static void restore_reserved(void) {
  const kernel_action ignore = {.handler = SIG_IGN};
  for (int i = 0; i < RESERVED; i++)
    if (is_reserved_ignored[i]) syscall(SYS_rt_sigaction, FIRST_RESERVED + i, &ignore, NULL, sizeof ignore.mask);
}

// A pipe and not signalfd: in a process with several threads, a signal that one thread blocks goes to another thread.
static void tell(int signal, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  lo_signal message = {lo_now(), (uint8_t)signal, info->si_code > 0};
  // The pipe is full: thousands of signals wait already, and SIGCHLD only says that there is something to check.
  (void)!write(pipe_ends[1], &message, sizeof message);
  errno = saved;
}

static bool child_signal_was_ignored;

void lo_signals_expect_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) != 0 || action.sa_handler != SIG_IGN) return;
  child_signal_was_ignored = true;
  signal(SIGCHLD, SIG_DFL);
}

int lo_signal_watch_begin(void) {
  bool expected = false;
  if (!atomic_compare_exchange_strong(&watching, &expected, true)) return -EBUSY;
  if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    int error = errno;
    atomic_store(&watching, false);
    return -error;
  }
  remember_reserved();
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  sigemptyset(&unblocked);
  for (int i = 0; i < WATCHED; i++) {
    sigaction(watched[i].signal, NULL, &former[i]);
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigfillset(&action.sa_mask);
    if (watched[i].caught) {
      // Ignored signals (nohup) stay ignored. SIGCHLD must be caught anyway, or children's exit status would be lost.
      if (former[i].sa_handler == SIG_IGN && watched[i].signal != SIGCHLD) continue;
      action.sa_sigaction = tell;
      action.sa_flags = SA_RESTART | SA_SIGINFO;
      if (sigismember(&mask, watched[i].signal) == 1) sigaddset(&unblocked, watched[i].signal);
    }
    sigaction(watched[i].signal, &action, NULL);
  }
  pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
  return pipe_ends[0];
}

void lo_signal_watch_end(void) {
  if (!atomic_load(&watching)) return;
  pthread_sigmask(SIG_BLOCK, &unblocked, NULL);
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i].signal, &former[i], NULL);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  pipe_ends[0] = pipe_ends[1] = -1;
  atomic_store(&watching, false);
}

static void restore_dispositions(void) {
  restore_reserved();
  for (int i = 0; i < WATCHED; i++) {
    bool ignored = former[i].sa_handler == SIG_IGN || (watched[i].signal == SIGCHLD && child_signal_was_ignored);
    const struct sigaction action = {.sa_handler = ignored ? SIG_IGN : SIG_DFL};
    sigaction(watched[i].signal, &action, NULL);
  }
}

void lo_signals_restore_for_exec(const sigset_t *mask) {
  sigset_t inherited = *mask;
  if (atomic_load(&watching)) {
    restore_dispositions();
    sigorset(&inherited, mask, &unblocked);
  }
  sigprocmask(SIG_SETMASK, &inherited, NULL);
}

// Sends this process a signal with its default action.
static void take(int signal) {
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(signal, &standard, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  kill(getpid(), signal);
}

void lo_stop_by(int signal) {
  struct sigaction mine = {.sa_handler = SIG_DFL};
  sigaction(signal, NULL, &mine);
  take(signal);
  sigaction(signal, &mine, NULL);
}

void lo_die_of(int signal) {
  // The program may have left its own core file; the launcher's would only hide that. A core pattern that pipes to a
  // program ignores RLIMIT_CORE (core(5)), but respects this.
  prctl(PR_SET_DUMPABLE, 0ul, 0ul, 0ul, 0ul);
  take(signal);
}
