// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

enum { PAGE = 4096, TRAP = 0xcc, EXECUTED = 64 };

typedef struct {
  lo_order_launch *launch;
  pid_t pid;
  /// What is added to the file's addresses.
  uint64_t bias;
  /// By place: the first byte of each function.
  uint8_t *original;
  bool *is_known;
  /// The other threads that are traced.
  pid_t *others;
  size_t other_count, other_room;
  /// Pidfds of children that executed another program, and are not traced any more.
  int executed[EXECUTED];
  size_t executed_count;
  /// Where the program's output is read; -1 when nothing can write to it any more.
  int output;
} order_state;

/// Opens a file of a process in /proc. Returns a descriptor, or -1 with errno.
static int open_file(pid_t pid, const char *name, int flags) {
  char path[32];
  // Otherwise the traps would get into another process.
  if (!lo_sees_processes()) {
    errno = ENOENT;
    return -1;
  }
  snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
  return open(path, flags | O_CLOEXEC);
}

static int memory(pid_t pid) { return open_file(pid, "mem", O_RDWR); }

// MARK: Start

/// Where the program's first instruction came to lie.
static int find_entry(pid_t pid, uint64_t *entry) {
  int file = open_file(pid, "auxv", O_RDONLY);
  if (file < 0) return errno;
  Elf64_auxv_t pair;
  int error = ENOEXEC;
  while (error != 0 && read(file, &pair, sizeof pair) == sizeof pair) {
    if (pair.a_type != AT_ENTRY) continue;
    *entry = pair.a_un.a_val;
    error = 0;
  }
  close(file);
  return error;
}

/// Puts a trap on every function: a page at a time.
static int arm(order_state *state) {
  const lo_order_launch *launch = state->launch;
  int file = memory(state->pid);
  if (file < 0) return errno;
  uint8_t page[PAGE];
  int error = 0;
  for (size_t place = 0; place < launch->count && error == 0;) {
    uint64_t start = (launch->addresses[place] + state->bias) & ~(uint64_t)(PAGE - 1);
    bool is_there = pread(file, page, PAGE, (off_t)start) == PAGE;
    for (; place < launch->count && launch->addresses[place] + state->bias - start < PAGE; place++) {
      uint64_t inside = launch->addresses[place] + state->bias - start;
      state->original[place] = is_there ? page[inside] : TRAP;
      if (is_there) page[inside] = TRAP;
    }
    if (is_there && pwrite(file, page, PAGE, (off_t)start) != PAGE) error = errno;
  }
  close(file);
  return error;
}

static void attach(void *error, pid_t pid) { *(int *)error = lo_trace_seize(pid); }

static int start(order_state *state) {
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
  uint64_t entry = 0;
  error = find_entry(state->pid, &entry);
  if (error != 0) return error;
  state->bias = entry - state->launch->entry;
  error = arm(state);
  return error != 0 ? error : lo_trace_continue(state->pid, 0);
}

// MARK: Traps

/// The index of the function at an address in memory; −1 for none.
static long place_of(const order_state *state, uint64_t address) {
  const uint64_t *addresses = state->launch->addresses;
  size_t low = 0, high = state->launch->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (addresses[middle] + state->bias < address) low = middle + 1; else high = middle;
  }
  return low < state->launch->count && addresses[low] + state->bias == address ? (long)low : -1;
}

/// Removes the trap that a thread has reached, and continues the thread. False for a trap of the program's own.
static bool pass(order_state *state, pid_t thread) {
  uint64_t address = lo_trace_breakpoint_address(thread);
  long place = place_of(state, address);
  if (place < 0 || state->original[place] == TRAP) return false;
  int file = memory(thread);
  if (file < 0) return false;
  // Another thread may have removed it meanwhile.
  uint8_t byte = 0;
  bool is_ours = pread(file, &byte, 1, (off_t)address) == 1;
  if (is_ours && byte == TRAP) is_ours = pwrite(file, &state->original[place], 1, (off_t)address) == 1;
  close(file);
  if (!is_ours || lo_trace_resume_at(thread, address) != 0) return false;
  if (!state->is_known[place]) {
    state->is_known[place] = true;
    state->launch->order[state->launch->touched++] = (uint32_t)place;
  }
  return true;
}

// MARK: Threads

/// Notes a new thread. One for which there is no memory is ended with this process.
static void note(order_state *state, pid_t thread) {
  for (size_t i = 0; i < state->other_count; i++)
    if (state->others[i] == thread) return;
  if (state->other_count == state->other_room) {
    size_t room = state->other_room * 2 + 16;
    pid_t *others = realloc(state->others, room * sizeof *others);
    if (others == NULL) return;
    state->others = others;
    state->other_room = room;
  }
  state->others[state->other_count++] = thread;
}

static void forget(order_state *state, pid_t thread) {
  for (size_t i = 0; i < state->other_count; i++) {
    if (state->others[i] != thread) continue;
    state->others[i] = state->others[--state->other_count];
    return;
  }
}

static bool has_ended(int pidfd, int milliseconds) {
  return poll(&(struct pollfd){.fd = pidfd, .events = POLLIN}, 1, milliseconds) > 0;
}

/// Makes room among the pidfds: closes those of children that have ended.
static void forget_ended(order_state *state) {
  size_t left = 0;
  for (size_t i = 0; i < state->executed_count; i++) {
    int pidfd = state->executed[i];
    if (has_ended(pidfd, 0)) close(pidfd); else state->executed[left++] = pidfd;
  }
  state->executed_count = left;
}

/// Remembers a child that executed another program, to end it after the launch.
static void note_executed(order_state *state, pid_t child) {
  if (state->executed_count == EXECUTED) forget_ended(state);
  int pidfd = state->executed_count < EXECUTED ? lo_open_process(child) : -1;
  if (pidfd >= 0) state->executed[state->executed_count++] = pidfd;
}

static void go_on(order_state *state, pid_t thread, int status) {
  int event = status >> 16, signal = WSTOPSIG(status);
  if (event == PTRACE_EVENT_EXEC) {
    // It is another program from here on. The thread that executed it may have had another number.
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, thread, NULL, &former) == 0) forget(state, (pid_t)former);
    forget(state, thread);
    if (thread != state->pid) note_executed(state, thread);
    ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return;
  }
  if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
    ptrace(PTRACE_LISTEN, thread, NULL, NULL);
    return;
  }
  if (event != 0 || (signal == SIGTRAP && pass(state, thread))) signal = 0;
  ptrace(PTRACE_CONT, thread, NULL, (void *)(long)signal);
}

// MARK: The launch

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
static bool read_output(order_state *state) {
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

static void await_event(order_state *state) {
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
static void follow(order_state *state) {
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
      if (status >> 16 == PTRACE_EVENT_STOP && thread != state->pid) note(state, thread);
      go_on(state, thread, status);
    } else if (thread == state->pid) {
      state->launch->status = status;
      is_over = true;
    } else {
      forget(state, thread);
    }
  }
}

/// Ends what the program left behind: the next launch may need its port or its lock.
static void end_others(order_state *state) {
  for (size_t i = 0; i < state->executed_count; i++) lo_signal_process(state->executed[i], SIGKILL);
  for (size_t i = 0; i < state->executed_count; i++) {
    // What it holds is free when it has ended. One that hangs in the kernel is given up.
    has_ended(state->executed[i], 2000);
    close(state->executed[i]);
  }
  for (size_t i = 0; i < state->other_count; i++) kill(state->others[i], SIGKILL);
  // One that hangs in the kernel is ended with this process.
  int last = expired + 2;
  while (state->other_count > 0 && expired < last) {
    int status = 0;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0 && errno == EINTR) continue;
    if (thread < 0) return;
    if (!WIFSTOPPED(status)) {
      forget(state, thread);
    } else if (thread != state->pid) {
      note(state, thread);
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
static void run(order_state *state) {
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
  order_state state = {.launch = launch, .output = -1};
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
