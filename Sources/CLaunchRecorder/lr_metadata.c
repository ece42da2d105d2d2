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
  const char *permanent = writer ? lr_permanent_string(key, lr_cut(key, key_length, 256)) : NULL;
  if (permanent == NULL) return;
  value_length = lr_cut(value, value_length, LR_LONGEST_MESSAGE);
  lr_budgets_label(permanent, value, value_length);
  lr_packet packet;
  size_t bound = 64 + LR_ANNOTATION + strlen(permanent) + value_length;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_INSTANT, 0, bound)) return;
  lr_event_name(&packet, LS_CATEGORY_METADATA, LR_LITERAL(LS_EVENT_METADATA));
  lr_annotate_string(&packet, permanent, strlen(permanent), value, value_length);
  lr_event_close(&packet);
  void (*listener)(void *context, const char *key) = __atomic_load_n(&lr_listener, __ATOMIC_ACQUIRE);
  if (listener) listener(__atomic_load_n(&lr_listener_context, __ATOMIC_RELAXED), permanent);
}
#endif
