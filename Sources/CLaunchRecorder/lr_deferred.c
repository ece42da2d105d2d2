// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <stdlib.h>
#include <string.h>

// Work that waits for the first frame, whether or not the launch is recorded. Without a lock: in a fork, a thread that
// no longer exists might hold it.
typedef struct lr_deferred {
  struct lr_deferred *next;
  int32_t priority;
  void (*work)(void *context);
  void *context;
} lr_deferred;

/// The work that came last; lr_displayed once the milestone is reached.
static lr_deferred *lr_waiting;
static lr_deferred lr_displayed;

bool lr_defer(int32_t priority, void (*work)(void *context), void *context) {
  lr_deferred *made = malloc(sizeof *made);
  if (made == NULL) return false;
  *made = (lr_deferred){.priority = priority, .work = work, .context = context};
  lr_deferred *last = __atomic_load_n(&lr_waiting, __ATOMIC_RELAXED);
  do {
    if (last == &lr_displayed) {
      free(made);
      return false;
    }
    made->next = last;
  } while (!__atomic_compare_exchange_n(&lr_waiting, &last, made, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  return true;
}

/// Puts the work, of which the last came first, into the order of its priorities; within one, into that of its arrival.
static lr_deferred *lr_in_order(lr_deferred *last) {
  lr_deferred *first = NULL;
  for (lr_deferred *next; last; last = next) {
    next = last->next;
    lr_deferred **place = &first;
    while (*place && (*place)->priority > last->priority) place = &(*place)->next;
    last->next = *place;
    *place = last;
  }
  return first;
}

void lr_deferred_reach(const char *milestone, size_t length) {
  if (!ls_is(LS_MILESTONE_FIRST_FRAME, milestone, length) && !ls_is(LS_MILESTONE_READY, milestone, length)) return;
  lr_deferred *last = __atomic_exchange_n(&lr_waiting, &lr_displayed, __ATOMIC_ACQ_REL);
  lr_deferred *first = last == &lr_displayed ? NULL : lr_in_order(last);
  while (first) {
    lr_deferred *next = first->next;
    first->work(first->context);
    free(first);
    first = next;
  }
}
#endif
