// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)

bool lo_trace_knows_calls(void) { return true; }

static int registers(pid_t thread, enum __ptrace_request request, struct user_regs_struct *values) {
  struct iovec vector = {values, sizeof *values};
  return ptrace(request, thread, (void *)NT_PRSTATUS, &vector) == 0 ? 0 : errno;
}

int lo_trace_get_call(pid_t thread, lo_call *call) {
  struct user_regs_struct values;
  int error = registers(thread, PTRACE_GETREGSET, &values);
  if (error == 0) *call = (lo_call){values.rip, values.rsp, values.rbp, values.rdi, values.rsi, values.rdx};
  return error;
}

int lo_trace_set_place(pid_t thread, uint64_t program_counter, uint64_t stack_pointer) {
  struct user_regs_struct values;
  int error = registers(thread, PTRACE_GETREGSET, &values);
  if (error != 0) return error;
  values.rip = program_counter;
  values.rsp = stack_pointer;
  return registers(thread, PTRACE_SETREGSET, &values);
}

#else

bool lo_trace_knows_calls(void) { return false; }
int lo_trace_get_call(pid_t thread, lo_call *call) { return (void)thread, (void)call, ENOSYS; }
int lo_trace_set_place(pid_t thread, uint64_t program_counter, uint64_t stack_pointer) {
  return (void)thread, (void)program_counter, (void)stack_pointer, ENOSYS;
}

#endif

int lo_trace_follow(pid_t pid, bool tells_exits) {
  long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  if (tells_exits) options |= PTRACE_O_TRACEEXIT;
  return ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options) == 0 ? 0 : errno;
}

pid_t lo_trace_made(pid_t thread) {
  unsigned long message = 0;
  return ptrace(PTRACE_GETEVENTMSG, thread, NULL, &message) == 0 ? (pid_t)message : 0;
}

int lo_trace_ask_to_stop(pid_t thread) { return ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) == 0 ? 0 : errno; }

bool lo_poll_thread(pid_t thread, bool waits, lo_status *status) {
  int code = 0;
  memset(status, 0, sizeof *status);
  pid_t found;
  do found = waitpid(thread, &code, __WALL | (waits ? 0 : WNOHANG));
  while (found < 0 && errno == EINTR);
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
