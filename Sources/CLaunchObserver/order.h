// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_ORDER_H
#define LAUNCHPROF_ORDER_H

#include "CLaunchObserver.h"

/// The most children that have executed another program, and are remembered.
enum { LO_ORDER_EXECUTED = 64 };

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
  int executed[LO_ORDER_EXECUTED];
  size_t executed_count;
  /// Where the program's output is read; -1 when nothing can write to it any more.
  int output;
} lo_order_state;

// MARK: Traps (order_traps.c)

/// Puts a trap on every function of the program, which has just been executed. Returns an errno.
int lo_order_arm(lo_order_state *state);

/// Removes the trap that a thread has reached, and continues the thread. False for a trap of the program's own.
bool lo_order_pass(lo_order_state *state, pid_t thread);

// MARK: Other threads and processes (order_others.c)

/// Notes a new thread. One for which there is no memory is ended with this process.
void lo_order_note(lo_order_state *state, pid_t thread);

void lo_order_forget(lo_order_state *state, pid_t thread);

/// Remembers a child that executed another program, to end it after the launch.
void lo_order_note_executed(lo_order_state *state, pid_t child);

/// Ends the children that executed another program.
void lo_order_end_executed(lo_order_state *state);

#endif
