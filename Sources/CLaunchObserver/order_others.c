// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "order.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__x86_64__)

void lo_order_note(lo_order_state *state, pid_t thread) {
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

void lo_order_forget(lo_order_state *state, pid_t thread) {
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
static void forget_ended(lo_order_state *state) {
  size_t left = 0;
  for (size_t i = 0; i < state->executed_count; i++) {
    int pidfd = state->executed[i];
    if (has_ended(pidfd, 0)) close(pidfd); else state->executed[left++] = pidfd;
  }
  state->executed_count = left;
}

void lo_order_note_executed(lo_order_state *state, pid_t child) {
  if (state->executed_count == LO_ORDER_EXECUTED) forget_ended(state);
  int pidfd = state->executed_count < LO_ORDER_EXECUTED ? lo_open_process(child) : -1;
  if (pidfd >= 0) state->executed[state->executed_count++] = pidfd;
}

void lo_order_end_executed(lo_order_state *state) {
  for (size_t i = 0; i < state->executed_count; i++) lo_signal_process(state->executed[i], SIGKILL);
  for (size_t i = 0; i < state->executed_count; i++) {
    // What it holds is free when it has ended. One that hangs in the kernel is given up.
    has_ended(state->executed[i], 2000);
    close(state->executed[i]);
  }
}

#endif
