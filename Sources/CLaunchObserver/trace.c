// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int call(int request, pid_t pid, void *address, void *data) {
  return ptrace((enum __ptrace_request)request, pid, address, data) == 0 ? 0 : errno;
}

int lo_trace_seize(pid_t pid) {
  // Where waitid is forbidden, a process that stops would never go on.
  siginfo_t info;
  if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != ECHILD) return errno;
  return call(PTRACE_SEIZE, pid, NULL, (void *)(long)PTRACE_O_TRACEEXEC);
}

int lo_trace_tell(pid_t pid, bool forks, bool exits) {
  long options = PTRACE_O_TRACEEXEC | (forks ? PTRACE_O_TRACEFORK : 0) | (exits ? PTRACE_O_TRACEEXIT : 0);
  return call(PTRACE_SETOPTIONS, pid, NULL, (void *)options);
}

int lo_trace_detach(pid_t pid, int signal) { return call(PTRACE_DETACH, pid, NULL, (void *)(long)signal); }

int lo_trace_continue(pid_t pid, int signal) { return call(PTRACE_CONT, pid, NULL, (void *)(long)signal); }

int lo_trace_listen(pid_t pid) { return call(PTRACE_LISTEN, pid, NULL, NULL); }

// The next stop of an attached process: its wait status, or -1 if it has ended. Its exit status can still be collected.
static int next_stop(pid_t pid) {
  siginfo_t info = {.si_pid = 0};
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL) != 0)
    if (errno != EINTR) return -1;
  // Without WEXITED: a signal may have killed it meanwhile.
  if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | __WALL) != 0 || info.si_pid != pid) return -1;
  return info.si_status << 8 | 0x7f;
}

// Waits for a stop by `event`. Signals that come before it are delivered.
static bool wait_for(pid_t pid, int event) {
  for (;;) {
    int status = next_stop(pid);
    if (status < 0) return false;
    if (status >> 16 == event) return true;
    int error = status >> 16 == 0 ? lo_trace_continue(pid, WSTOPSIG(status))
                : status >> 16 == PTRACE_EVENT_STOP ? lo_trace_listen(pid)
                                                    : lo_trace_continue(pid, 0);
    if (error != 0) return false;
  }
}

bool lo_trace_wait_for_exec(pid_t pid) { return wait_for(pid, PTRACE_EVENT_EXEC); }

bool lo_trace_wait_for_child(pid_t child) { return wait_for(child, PTRACE_EVENT_STOP); }

// Whether an attached process has stopped or ended until `end`, CLOCK_MONOTONIC ns.
static bool stops_until(pid_t pid, uint64_t end) {
  for (;;) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) != 0) return true;
    if (info.si_pid != 0) return true;
    if (lo_now() >= end) return false;
    usleep(100);
  }
}

lo_trace_interruption lo_trace_interrupt(pid_t pid, int64_t nanoseconds, pid_t *child) {
  uint64_t end = lo_now() + (uint64_t)nanoseconds;
  *child = 0;
  // Every other stop takes the request back.
  while (lo_trace_ask_to_stop(pid) == 0) {
    if (!stops_until(pid, end)) return LO_TRACE_GOES_ON;
    int status = next_stop(pid);
    if (status < 0) return LO_TRACE_ENDED;
    if (status >> 16 == PTRACE_EVENT_FORK) *child = lo_trace_made(pid);
    if (status >> 16 == PTRACE_EVENT_FORK || status >> 16 == PTRACE_EVENT_STOP) return LO_TRACE_STOPPED;
    if (lo_trace_continue(pid, status >> 16 == 0 ? WSTOPSIG(status) : 0) != 0) return LO_TRACE_ENDED;
  }
  return LO_TRACE_ENDED;
}

bool lo_trace_step(pid_t pid, int *signal) {
  *signal = 0;
  if (call(PTRACE_SINGLESTEP, pid, NULL, NULL) != 0) return false;
  int status = next_stop(pid);
  if (status < 0) return false;
  if (status >> 16 == 0 && WSTOPSIG(status) == SIGTRAP) return true;
  if (status >> 16 == 0) *signal = WSTOPSIG(status);
  return false;
}

// MARK: Memory

static ssize_t copy_from(pid_t pid, uint64_t address, void *bytes, size_t count) {
  struct iovec local = {bytes, count};
  struct iovec remote = {(void *)(uintptr_t)address, count};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

int lo_read_memory(pid_t pid, uint64_t address, void *bytes, size_t count) {
  ssize_t got = copy_from(pid, address, bytes, count);
  return got == (ssize_t)count ? 0 : got < 0 ? errno : EFAULT;
}

size_t lo_read_memory_part(pid_t pid, uint64_t address, void *bytes, size_t count) {
  ssize_t got = copy_from(pid, address, bytes, count);
  return got < 0 ? 0 : (size_t)got;
}

int lo_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t count) {
  struct iovec local = {(void *)(uintptr_t)bytes, count};
  struct iovec remote = {(void *)(uintptr_t)address, count};
  ssize_t put = process_vm_writev(pid, &local, 1, &remote, 1, 0);
  return put == (ssize_t)count ? 0 : put < 0 ? errno : EFAULT;
}

// MARK: Breakpoint instructions

#if defined(__x86_64__)
static const unsigned char trap[] = {0xcc};  // int3
#elif defined(__aarch64__)
static const unsigned char trap[] = {0x00, 0x00, 0x20, 0xd4};  // brk #0
#endif

// Code is not writable. Only ptrace can change it, one word at a time.
static int peek(pid_t pid, uint64_t address, long *word) {
  errno = 0;
  *word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)address, NULL);
  return errno;
}

int lo_trace_insert(pid_t pid, uint64_t address, lo_software_breakpoint *breakpoint) {
  breakpoint->address = address;
  int error = peek(pid, address, &breakpoint->original);
  if (error != 0) return error;
  long word = breakpoint->original;
  memcpy(&word, trap, sizeof trap);
  return call(PTRACE_POKETEXT, pid, (void *)(uintptr_t)address, (void *)word);
}

int lo_trace_remove(pid_t pid, const lo_software_breakpoint *breakpoint) {
  // The same word may contain other breakpoints, so restore only our own bytes.
  long word = 0;
  int error = peek(pid, breakpoint->address, &word);
  if (error != 0) return error;
  memcpy(&word, &breakpoint->original, sizeof trap);
  return call(PTRACE_POKETEXT, pid, (void *)(uintptr_t)breakpoint->address, (void *)word);
}

bool lo_trace_lacks(pid_t pid, const lo_software_breakpoint *breakpoint) {
  long word = 0;
  return peek(pid, breakpoint->address, &word) == 0 && memcmp(&word, trap, sizeof trap) != 0;
}

// MARK: Threads and children

int lo_trace_follow(pid_t pid, bool tells_exits) {
  long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  if (tells_exits) options |= PTRACE_O_TRACEEXIT;
  return call(PTRACE_SETOPTIONS, pid, NULL, (void *)options);
}

pid_t lo_trace_made(pid_t thread) {
  unsigned long message = 0;
  return call(PTRACE_GETEVENTMSG, thread, NULL, &message) == 0 ? (pid_t)message : 0;
}

bool lo_trace_stops_soon(pid_t pid, int64_t nanoseconds) {
  uint64_t end = lo_now() + (uint64_t)nanoseconds;
  siginfo_t info;
  do {
    info.si_pid = 0;
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) != 0) return false;
    if (info.si_pid != 0) {
      bool is_asked = info.si_code == CLD_TRAPPED && info.si_status == (PTRACE_EVENT_STOP << 8 | SIGTRAP);
      return is_asked && waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | __WALL) == 0;
    }
    sched_yield();
  } while (lo_now() < end);
  return false;
}

int lo_trace_ask_to_stop(pid_t thread) { return call(PTRACE_INTERRUPT, thread, NULL, NULL); }

bool lo_poll_thread(pid_t thread, lo_status *status) {
  int code = 0;
  *status = (lo_status){.state = LO_RUNNING};
  pid_t found = waitpid(thread, &code, __WALL | WNOHANG);
  if (found == 0) return false;
  if (found < 0 || !WIFSTOPPED(code)) {
    status->state = LO_GONE;
    return true;
  }
  status->state = LO_STOPPED;
  status->code = WSTOPSIG(code);
  status->event = code >> 16;
  return true;
}
