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

// System V Application Binary Interface, AMD64 Supplement, figure 3.36.
static void number(const struct user_regs_struct *from, lo_registers *registers) {
  const uint64_t values[] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp,
                             from->r8,  from->r9,  from->r10, from->r11, from->r12, from->r13, from->r14, from->r15};
  registers->program_counter = from->rip;
  registers->call = (int64_t)from->orig_rax;
  registers->count = sizeof values / sizeof *values;
  memcpy(registers->numbered, values, sizeof values);
}

#elif defined(__aarch64__)

// DWARF for the Arm 64-bit Architecture, 4.1: X0 to X30, SP.
static void number(const struct user_regs_struct *from, lo_registers *registers) {
  registers->program_counter = from->pc;
  registers->call = -1;
  registers->count = 32;
  memcpy(registers->numbered, from->regs, sizeof from->regs);
  registers->numbered[31] = from->sp;
}

#endif

static int read_registers(pid_t thread, struct user_regs_struct *values) {
  struct iovec vector = {values, sizeof *values};
  if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &vector) != 0) return errno;
  // The kernel gives fewer bytes for a 32-bit program.
  return vector.iov_len == sizeof *values ? 0 : ENOTSUP;
}

int lo_trace_get_registers(pid_t thread, lo_registers *registers) {
  struct user_regs_struct values;
  int error = read_registers(thread, &values);
  if (error == 0) number(&values, registers);
  return error;
}

#if defined(__x86_64__)

bool lo_trace_left_call(const lo_registers *registers) { return registers->call < 0; }

bool lo_trace_ended_call(const lo_registers *registers) {
  return registers->call >= 0 && registers->numbered[0] == (uint64_t)-EINTR;
}

int lo_trace_call_again(pid_t thread) {
  struct user_regs_struct values;
  int error = read_registers(thread, &values);
  if (error != 0) return error;
  values.rax = values.orig_rax;
  values.rip -= 2;  // syscall
  struct iovec vector = {&values, sizeof values};
  return ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &vector) == 0 ? 0 : errno;
}

#else

bool lo_trace_left_call(const lo_registers *registers) { return (void)registers, false; }
// The first argument is not known any more.
bool lo_trace_ended_call(const lo_registers *registers) { return (void)registers, false; }
int lo_trace_call_again(pid_t thread) { return (void)thread, ENOSYS; }

#endif
