// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

#include <stddef.h>

// A weak reference: found if the program uses libdispatch, otherwise NULL.
extern const char _dispatch_main_q[] __attribute__((weak));

/// A queue's state (libdispatch, src/queue_internal.h: dq_state) comes after seven pointers. Its lower half holds the
/// queue's owner as in a futex (src/shims/lock.h). This layout is not guaranteed: the recorder tests it on threads that
/// know the answer.
#define LR_QUEUE_STATE 56
#define LR_QUEUE_OWNER 0x3fffffff

int32_t lr_main_queue_owner(void) {
  if (_dispatch_main_q == NULL) return -1;
  const uint64_t *state = (const uint64_t *)(const void *)(_dispatch_main_q + LR_QUEUE_STATE);
  return (int32_t)(__atomic_load_n(state, __ATOMIC_RELAXED) & LR_QUEUE_OWNER);
}

bool lr_main_actor_is_elsewhere(void) {
  int32_t owner = lr_main_queue_owner();
  return owner != lr_thread_id() && lr_main_actor_has_left(owner);
}

bool lr_main_actor_has_left(int32_t owner) {
  int32_t process = lr_current_process();
  // The first thread is bound to the queue until an async `main` has left it.
  if (owner <= 0 || owner == process) return false;
  // In a fork, the number is that of a thread of the parent. With another layout, it is hardly that of a thread at all.
  return lr_ask_system(SYS_tgkill, process, owner, 0, 0, 0, 0) == 0;
}
#endif
