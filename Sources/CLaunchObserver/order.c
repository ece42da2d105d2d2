// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "order.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

// MARK: Start

static void attach(void *error, pid_t pid) { *(int *)error = lo_trace_seize(pid); }

static int start(lo_order_state *state) {
  const lo_order_launch *launch = state->launch;
  char *const candidates[] = {(char *)(uintptr_t)launch->program, NULL};
  int error = 0;
  lo_launched launched;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  lo_request request = {
    .candidates = candidates, .arguments = launch->arguments, .environment = launch->environment,
    .output = ends[1], .error = ends[1], .inherited = -1, .prepare = attach, .context = &error};
  lo_launch(&request, &launched);
  close(ends[1]);
  state->output = ends[0];
  fcntl(state->output, F_SETFL, O_NONBLOCK);
  if (launched.error != 0) return launched.error;
  if (launched.pidfd >= 0) close(launched.pidfd);
  state->pid = launched.pid;
  if (error != 0) return error;
  if (!lo_trace_wait_for_exec(state->pid)) return ECHILD;
  long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, state->pid, NULL, (void *)options) != 0) return errno;
  error = lo_order_arm(state);
  return error != 0 ? error : lo_trace_continue(state->pid, 0);
}

// MARK: The launch

static void go_on(lo_order_state *state, pid_t thread, int status) {
  int event = status >> 16, signal = WSTOPSIG(status);
  if (event == PTRACE_EVENT_EXEC) {
    // It is another program from here on. The thread that executed it may have had another number.
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, thread, NULL, &former) == 0) lo_order_forget(state, (pid_t)former);
    lo_order_forget(state, thread);
    if (thread != state->pid) lo_order_note_executed(state, thread);
    ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return;
  }
  if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
    ptrace(PTRACE_LISTEN, thread, NULL, NULL);
    return;
  }
  if (event != 0 || (signal == SIGTRAP && lo_order_pass(state, thread))) signal = 0;
  ptrace(PTRACE_CONT, thread, NULL, (void *)(long)signal);
}

static volatile sig_atomic_t expired;
/// An eventfd: a child has changed, or time has run out.
static volatile sig_atomic_t wake;
static void awake(int signal) {
  int error = errno;
  if (signal == SIGALRM) expired++;
  ssize_t written = write(wake, &(uint64_t){1}, sizeof(uint64_t));
  (void)written;
  errno = error;
}

/// Reads some of the program's output. A program may write without end, so only a hash is kept. Returns whether there
/// was any.
static bool read_output(lo_order_state *state) {
  static uint8_t buffer[1 << 16];
  lo_order_launch *launch = state->launch;
  ssize_t length = read(state->output, buffer, sizeof buffer);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (length <= 0) {
    close(state->output);
    state->output = -1;
    return false;
  }
  launch->output_length += (uint64_t)length;
  for (ssize_t i = 0; i < length; i++) launch->output_hash = (launch->output_hash ^ buffer[i]) * 0x100000001b3;
  return true;
}

static void await_event(lo_order_state *state) {
  struct pollfd polled[] = {{.fd = wake, .events = POLLIN}, {.fd = state->output, .events = POLLIN}};
  if (poll(polled, 2, -1) < 0) return;
  uint64_t count;
  if (polled[0].revents != 0 && read(wake, &count, sizeof count) < 0) return;
  if (polled[1].revents != 0) read_output(state);
}

/// A process that ends closes its files first. No signal cuts the time short.
static void wait_a_moment(void) {
  sigset_t all;
  sigfillset(&all);
  ppoll(NULL, 0, &(struct timespec){.tv_nsec = 50000000}, &all);
}

/// Until the last thread and child has ended; or until the program has, and nothing can write to its output any more.
/// What runs then is a daemon.
static void follow(lo_order_state *state) {
  int told = 0;
  bool is_over = false, had_moment = false;
  for (;;) {
    int status = 0;
    if (expired > told && is_over) return;
    if (expired > told) {
      kill(state->pid, expired > 1 ? SIGKILL : SIGTERM);
      told = expired;
    }
    pid_t thread = waitpid(-1, &status, __WALL | WNOHANG);
    if (thread < 0 && errno != EINTR) return;
    if (thread == 0 && is_over && state->output < 0) {
      state->launch->left_running = had_moment;
      if (had_moment) return;
      had_moment = true;
      wait_a_moment();
    } else if (thread == 0) {
      await_event(state);
    }
    if (thread <= 0) continue;
    if (WIFSTOPPED(status)) {
      if (status >> 16 == PTRACE_EVENT_STOP && thread != state->pid) lo_order_note(state, thread);
      go_on(state, thread, status);
    } else if (thread == state->pid) {
      state->launch->status = status;
      is_over = true;
    } else {
      lo_order_forget(state, thread);
    }
  }
}

/// Ends what the program left behind: the next launch may need its port or its lock.
static void end_others(lo_order_state *state) {
  lo_order_end_executed(state);
  for (size_t i = 0; i < state->other_count; i++) kill(state->others[i], SIGKILL);
  // One that hangs in the kernel is ended with this process.
  int last = expired + 2;
  while (state->other_count > 0 && expired < last) {
    int status = 0;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return;
    if (!WIFSTOPPED(status)) {
      lo_order_forget(state, thread);
    } else if (thread != state->pid) {
      lo_order_note(state, thread);
      kill(thread, SIGKILL);
    }
  }
}

/// Raises SIGALRM after a time, and then every two seconds.
static void set_timer(uint64_t nanoseconds) {
  // Zero would set no timer.
  uint64_t microseconds = nanoseconds / 1000 + (nanoseconds < 1000);
  struct itimerval timer = {
    .it_interval = {2, 0},
    .it_value = {(time_t)(microseconds / 1000000), (suseconds_t)(microseconds % 1000000)}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

/// From the program's first instruction until nothing that it started runs.
static void run(lo_order_state *state) {
  lo_order_launch *launch = state->launch;
  struct sigaction action = {.sa_handler = awake}, alarms, children;
  // The program that started this process may have blocked them.
  sigset_t used, mask;
  sigemptyset(&used);
  sigaddset(&used, SIGALRM);
  sigaddset(&used, SIGCHLD);
  expired = 0;
  sigaction(SIGALRM, &action, &alarms);
  sigaction(SIGCHLD, &action, &children);
  pthread_sigmask(SIG_UNBLOCK, &used, &mask);
  if (launch->timeout_ns > 0) set_timer(launch->timeout_ns);
  follow(state);
  launch->timed_out = expired > 0;
  // It would interrupt what waits for an end.
  sigaction(SIGCHLD, &children, NULL);
  set_timer(2000000000);
  end_others(state);
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGALRM, &alarms, NULL);
  // As much as a pipe may hold.
  for (int i = 0; i < 16 && state->output >= 0; i++)
    if (!read_output(state)) break;
}

int lo_order(lo_order_launch *launch) {
  lo_order_state state = {.launch = launch, .output = -1};
  launch->touched = 0;
  launch->timed_out = launch->left_running = false;
  launch->output_length = 0;
  launch->output_hash = 0xcbf29ce484222325;
  state.original = malloc(launch->count + 1);
  state.is_known = calloc(launch->count + 1, sizeof *state.is_known);
  wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int error = wake < 0 ? errno : state.original == NULL || state.is_known == NULL ? ENOMEM : start(&state);
  if (error == 0) {
    run(&state);
  } else if (state.pid > 0) {
    kill(state.pid, SIGKILL);
    waitpid(state.pid, NULL, __WALL);
  }
  if (state.output >= 0) close(state.output);
  if (wake >= 0) close(wake);
  free(state.original);
  free(state.is_known);
  free(state.others);
  return error;
}

#else

int lo_order(lo_order_launch *launch) {
  (void)launch;
  return ENOSYS;
}

#endif
