// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <stdint.h>
#include <unistd.h>

// Weak references, as in lr_over_budget.c: found if the program uses Swift concurrency. CoreFoundation's run loop drives
// the main queue with the same two functions.
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *message) __attribute__((weak));

/// The queue belongs to the first thread until that thread gives it up (an async `main` does).
static bool lr_owns_main_queue(void) {
  return _dispatch_get_main_queue_handle_4CF && _dispatch_main_queue_callback_4CF && lr_thread_id() == lr_current_process();
}

int lr_main_queue_descriptor(void) { return lr_owns_main_queue() ? _dispatch_get_main_queue_handle_4CF() : -1; }

void lr_main_queue_run(void) {
  if (!lr_owns_main_queue()) return;
  uint64_t count;
  ssize_t got = read(_dispatch_get_main_queue_handle_4CF(), &count, sizeof count);
  (void)got;
  _dispatch_main_queue_callback_4CF(NULL);
}
#endif
