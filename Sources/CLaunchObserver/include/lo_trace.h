// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_TRACE_H
#define LAUNCHPROF_LO_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Stops a program, and changes its memory and registers: ptrace(2). Except for `lo_read_memory` and `lo_read_memory_part`, all
// calls must come from the thread that called `lo_trace_seize`.

/// Attaches to a child without stopping it, so that it stops when it executes a program. Returns 0 or errno.
int lo_trace_seize(pid_t pid);
/// From now on a stopped process also stops when it forks (`forks`), and at its end, before its memory goes (`exits`). Not for
/// a child that still shares the launcher's memory: if execve fails, `lo_launch` waits for its end. Returns 0 or errno.
int lo_trace_tell(pid_t pid, bool forks, bool exits);
/// Waits until the process stops by execve. False when it has ended instead; its status is left to be read.
bool lo_trace_wait_for_exec(pid_t pid);
typedef enum { LO_TRACE_STOPPED, LO_TRACE_ENDED, LO_TRACE_GOES_ON } lo_trace_interruption;

/// Stops an attached process that runs, or finds that it has ended, or does not stop in this time. If it stopped because it has
/// forked, `child` becomes the new process, else 0.
lo_trace_interruption lo_trace_interrupt(pid_t pid, int64_t nanoseconds, pid_t *child);
/// Detaches from a stopped process and delivers `signal` (0 for none). Returns 0 or errno.
int lo_trace_detach(pid_t pid, int signal);
/// Lets a stopped process run on, still attached. Returns 0 or errno.
int lo_trace_continue(pid_t pid, int signal);
/// After a group stop: leaves the process stopped and attached until it is continued.
int lo_trace_listen(pid_t pid);

/// The bytes that a breakpoint instruction has replaced.
typedef struct {
  uint64_t address;
  long original;
} lo_software_breakpoint;

/// Puts a breakpoint instruction at `address` of a stopped process. Returns 0 or errno.
int lo_trace_insert(pid_t pid, uint64_t address, lo_software_breakpoint *breakpoint);
/// Restores the instruction. Returns 0 or errno.
int lo_trace_remove(pid_t pid, const lo_software_breakpoint *breakpoint);
/// Whether the instruction is not there any more: a child that shares the memory may have been left. False if it cannot be read.
bool lo_trace_lacks(pid_t pid, const lo_software_breakpoint *breakpoint);
/// The address of our breakpoint instruction at which a process stopped by SIGTRAP; 0 if it stopped for another reason.
uint64_t lo_trace_breakpoint_address(pid_t pid);
/// Moves a process that reached a breakpoint back to `address`. Returns 0 or errno.
int lo_trace_resume_at(pid_t pid, uint64_t address);
/// Executes one instruction. False if the process ended or got a signal instead, which `signal` then holds, to be
/// passed on.
bool lo_trace_step(pid_t pid, int *signal);

/// Whether breakpoint instructions can watch calls on this processor: x86-64.
bool lo_trace_knows_calls(void);

/// A thread that has stopped at the first instruction of a function.
typedef struct {
  uint64_t program_counter, stack_pointer, frame_pointer;
  /// Its arguments.
  uint64_t first, second, third;
} lo_call;

/// Returns 0 or errno.
int lo_trace_get_call(pid_t thread, lo_call *call);
/// Sets where a stopped thread continues, and its stack. Returns 0 or errno.
int lo_trace_set_place(pid_t thread, uint64_t program_counter, uint64_t stack_pointer);

/// The registers of a stopped thread.
typedef struct {
  uint64_t program_counter;
  /// The system call that it stopped in; negative for none, or if that is not known.
  int64_t call;
  /// By DWARF's numbers for this machine.
  uint64_t numbered[32];
  int count;
} lo_registers;

/// Returns 0 or errno: ENOTSUP for a 32-bit program.
int lo_trace_get_registers(pid_t thread, lo_registers *found);
/// Whether a thread that was in a system call is in none any more; false if that is not known.
bool lo_trace_left_call(const lo_registers *found);
/// Whether the stop has ended the call with EINTR, and `lo_trace_call_again` can repeat it: x86-64.
bool lo_trace_ended_call(const lo_registers *found);
/// Lets a stopped thread make its call again instead. Returns 0 or errno.
int lo_trace_call_again(pid_t thread);

/// From now on a stopped process and its children stop at each new thread or process, and if `tells_exits` also when
/// they end. Returns 0 or errno.
int lo_trace_follow(pid_t pid, bool tells_exits);
/// The thread or process that a stopped thread has created (PTRACE_EVENT_CLONE, …_FORK or …_VFORK); 0 for none.
pid_t lo_trace_made(pid_t thread);
/// Waits until a child has stopped that its parent's stop (PTRACE_EVENT_FORK) has told. False if it has ended instead.
bool lo_trace_wait_for_child(pid_t child);
/// Asks an attached thread to stop soon. Returns 0 or errno.
int lo_trace_ask_to_stop(pid_t thread);
/// Waits until a child that was asked to stop has stopped for that reason, and collects this stop. False if it has ended or
/// has another stop, which is left to be read, or does not stop in this time. The wait does not sleep: to wake this thread would
/// take longer than the stop.
bool lo_trace_stops_soon(pid_t pid, int64_t nanoseconds);

/// Copies from the memory of a process. Returns 0 or errno.
int lo_read_memory(pid_t pid, uint64_t address, void *bytes, size_t count);
/// As lo_read_memory, up to the first page that is not there. Returns how many bytes were copied.
size_t lo_read_memory_part(pid_t pid, uint64_t address, void *bytes, size_t count);
/// Overwrites memory of a stopped, attached process. Returns 0 or errno.
int lo_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t count);

#endif
