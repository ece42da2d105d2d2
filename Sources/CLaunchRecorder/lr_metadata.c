// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "include/lr_spool.h"
#include "lr_recorder.h"

#include <string.h>

static void (*lr_listener)(void *context, const char *key);
static void *lr_listener_context;

void lr_metadata_listen(void (*listener)(void *context, const char *key), void *context) {
  if (listener) __atomic_store_n(&lr_listener_context, context, __ATOMIC_RELAXED);
  __atomic_store_n(&lr_listener, listener, __ATOMIC_RELEASE);
}

void lr_metadata(const char *key, size_t key_length, const char *value, size_t value_length) {
  if (!lr_is_recording()) return;
  lr_writer *writer = lr_writer_get();
  key_length = lr_cut(key, key_length, 256);
  value_length = lr_cut(value, value_length, LR_LONGEST_MESSAGE);
  size_t bound = 64 + LR_ANNOTATION + key_length + value_length;
  // First: what gets no place must cost no memory, because a program may make its keys at run time.
  if (writer == NULL || !lr_writer_reserve(writer, lr_event_size(bound))) return;
  const char *permanent = lr_permanent_string(key, key_length);
  if (permanent == NULL) return lr_count_dropped(1);
  lr_budgets_label(permanent, value, value_length);
  lr_packet packet;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_METADATA, LR_LITERAL(LS_EVENT_METADATA));
  lr_annotate_string(&packet, permanent, strlen(permanent), value, value_length);
  lr_event_close(&packet);
  void (*listener)(void *context, const char *key) = __atomic_load_n(&lr_listener, __ATOMIC_ACQUIRE);
  if (listener) listener(__atomic_load_n(&lr_listener_context, __ATOMIC_RELAXED), permanent);
}
#endif
