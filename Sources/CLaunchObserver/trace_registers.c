// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#if defined(__x86_64__)

enum { BEHIND_TRAP = 1 };  // where int3 leaves the program counter
#define PROGRAM_COUNTER rip

// System V Application Binary Interface, AMD64 Supplement, figure 3.36.
static void number(const struct user_regs_struct *from, lo_registers *found) {
  const uint64_t values[] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp,
                             from->r8,  from->r9,  from->r10, from->r11, from->r12, from->r13, from->r14, from->r15};
  found->program_counter = from->rip;
  found->call = (int64_t)from->orig_rax;
  found->count = sizeof values / sizeof *values;
  memcpy(found->numbered, values, sizeof values);
}

#elif defined(__aarch64__)

enum { BEHIND_TRAP = 0 };  // where brk leaves it
#define PROGRAM_COUNTER pc

// DWARF for the Arm 64-bit Architecture, 4.1: X0 to X30, SP.
static void number(const struct user_regs_struct *from, lo_registers *found) {
  found->program_counter = from->pc;
  found->call = -1;
  found->count = 32;
  memcpy(found->numbered, from->regs, sizeof from->regs);
  found->numbered[31] = from->sp;
}

#endif

static int registers(pid_t pid, int request, struct user_regs_struct *values) {
  struct iovec vector = {values, sizeof *values};
  if (ptrace((enum __ptrace_request)request, pid, (void *)NT_PRSTATUS, &vector) != 0) return errno;
  // The kernel gives fewer bytes for a 32-bit program.
  return vector.iov_len == sizeof *values ? 0 : ENOTSUP;
}

uint64_t lo_trace_breakpoint_address(pid_t pid) {
  struct user_regs_struct values;
  return registers(pid, PTRACE_GETREGSET, &values) == 0 ? (uint64_t)values.PROGRAM_COUNTER - BEHIND_TRAP : 0;
}

int lo_trace_resume_at(pid_t pid, uint64_t address) {
  struct user_regs_struct values;
  int error = registers(pid, PTRACE_GETREGSET, &values);
  if (error != 0) return error;
  values.PROGRAM_COUNTER = address;
  return registers(pid, PTRACE_SETREGSET, &values);
}

// MARK: Stacks

int lo_trace_get_registers(pid_t thread, lo_registers *found) {
  struct user_regs_struct values;
  int error = registers(thread, PTRACE_GETREGSET, &values);
  if (error == 0) number(&values, found);
  return error;
}

#if defined(__x86_64__)

bool lo_trace_left_call(const lo_registers *found) { return found->call < 0; }

bool lo_trace_ended_call(const lo_registers *found) {
  return found->call >= 0 && found->numbered[0] == (uint64_t)-EINTR;
}

int lo_trace_call_again(pid_t thread) {
  struct user_regs_struct values;
  int error = registers(thread, PTRACE_GETREGSET, &values);
  if (error != 0) return error;
  values.rax = values.orig_rax;
  values.rip -= 2;  // syscall
  return registers(thread, PTRACE_SETREGSET, &values);
}

#else

bool lo_trace_left_call(const lo_registers *found) { return (void)found, false; }
// The first argument is not known any more.
bool lo_trace_ended_call(const lo_registers *found) { return (void)found, false; }
int lo_trace_call_again(pid_t thread) { return (void)thread, ENOSYS; }

#endif

// MARK: Calls

#if defined(__x86_64__)

bool lo_trace_knows_calls(void) { return true; }

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
