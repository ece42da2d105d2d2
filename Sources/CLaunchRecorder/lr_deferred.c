// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Work that waits for the first frame, in order of priority, whether or not the launch is recorded.
typedef struct lr_deferred {
  struct lr_deferred *next;
  int32_t priority;
  void (*work)(void *context);
  void *context;
} lr_deferred;

static struct {
  pthread_mutex_t lock;
  lr_deferred *first;
  bool is_displayed;
} lr_waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool lr_defer(int32_t priority, void (*work)(void *context), void *context) {
  lr_deferred *made = malloc(sizeof *made);
  if (made == NULL) return false;
  *made = (lr_deferred){.priority = priority, .work = work, .context = context};
  pthread_mutex_lock(&lr_waiting.lock);
  bool is_waiting = !lr_waiting.is_displayed;
  if (is_waiting) {
    // After work of the same priority, before work of a lower one.
    lr_deferred **place = &lr_waiting.first;
    while (*place && (*place)->priority >= priority) place = &(*place)->next;
    made->next = *place;
    *place = made;
  }
  pthread_mutex_unlock(&lr_waiting.lock);
  if (!is_waiting) free(made);
  return is_waiting;
}

void lr_deferred_reach(const char *milestone, size_t length) {
  if (!ls_is(LS_MILESTONE_FIRST_FRAME, milestone, length) && !ls_is(LS_MILESTONE_READY, milestone, length)) return;
  pthread_mutex_lock(&lr_waiting.lock);
  lr_deferred *first = lr_waiting.first;
  lr_waiting.first = NULL;
  lr_waiting.is_displayed = true;
  pthread_mutex_unlock(&lr_waiting.lock);
  while (first) {
    lr_deferred *next = first->next;
    first->work(first->context);
    free(first);
    first = next;
  }
}
#endif
