#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LR_MOST_CATEGORIES 127u

typedef struct lr_string {
  struct lr_string *next;
  size_t length;
  char bytes[];
} lr_string;

static struct {
  pthread_mutex_t lock;
  lr_string *strings[256];
  lr_category *categories[LR_MOST_CATEGORIES];
  uint32_t category_count;
} lr_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
static uint32_t lr_hash(const char *string, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)string[i]) * 16777619u;
  return hash;
}

const char *lr_permanent_string(const char *string, size_t length) {
  pthread_mutex_lock(&lr_table.lock);
  lr_string **bucket = &lr_table.strings[lr_hash(string, length) % 256], *found = *bucket;
  while (found && (found->length != length || memcmp(found->bytes, string, length) != 0)) found = found->next;
  if (found == NULL && (found = malloc(sizeof *found + length + 1))) {
    memcpy(found->bytes, string, length);
    found->bytes[length] = 0;
    found->length = length;
    found->next = *bucket;
    *bucket = found;
  }
  pthread_mutex_unlock(&lr_table.lock);
  return found ? found->bytes : NULL;
}

uint64_t lr_new_signpost_id(void) {
  static uint64_t last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static lr_category *lr_category_new(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  size_t slash = subsystem_length > 0 && category_length > 0, length = subsystem_length + slash + category_length;
  lr_category *made = malloc(sizeof *made + length + 1);
  if (made == NULL) return NULL;
  memcpy(made->name, subsystem, subsystem_length);
  if (slash) made->name[subsystem_length] = '/';
  memcpy(made->name + subsystem_length + slash, category, category_length);
  made->name[length] = 0;
  made->length = (uint32_t)length;
  made->id = 0;
  return made;
}

const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  if (subsystem_length > 1024) subsystem_length = 1024;
  if (category_length > 1024) category_length = 1024;
  lr_category *made = lr_category_new(subsystem, subsystem_length, category, category_length);
  if (made == NULL || made->length == 0) return made;
  pthread_mutex_lock(&lr_table.lock);
  for (uint32_t i = 0; i < lr_table.category_count; i++) {
    lr_category *old = lr_table.categories[i];
    if (old->length != made->length || memcmp(old->name, made->name, made->length) != 0) continue;
    pthread_mutex_unlock(&lr_table.lock);
    free(made);
    return old;
  }
  // Beyond that they keep their probes and lose their name in the trace.
  if (lr_table.category_count < LR_MOST_CATEGORIES) {
    lr_table.categories[lr_table.category_count++] = made;
    made->id = lr_table.category_count;
  }
  pthread_mutex_unlock(&lr_table.lock);
  return made;
}
#endif
