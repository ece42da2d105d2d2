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

#define LR_BUCKETS 256u
static struct {
  pthread_mutex_t lock;
  lr_string **buckets;
  /// The one made last.
  lr_category *category;
} lr_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
static uint32_t lr_hash(const char *string, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)string[i]) * 16777619u;
  return hash;
}

const char *lr_permanent_string(const char *string, size_t length) {
  pthread_mutex_lock(&lr_table.lock);
  if (lr_table.buckets == NULL) lr_table.buckets = lr_zeroed(LR_BUCKETS * sizeof *lr_table.buckets);
  lr_string *none = NULL;
  lr_string **bucket = lr_table.buckets ? &lr_table.buckets[lr_hash(string, length) % LR_BUCKETS] : &none;
  lr_string *found = *bucket;
  while (found && (found->length != length || memcmp(found->bytes, string, length) != 0)) found = found->next;
  if (found == NULL && lr_table.buckets && (found = malloc(sizeof *found + length + 1))) {
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
  made->before = NULL;
  return made;
}

const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  if (subsystem_length > 1024) subsystem_length = 1024;
  if (category_length > 1024) category_length = 1024;
  lr_category *made = lr_category_new(subsystem, subsystem_length, category, category_length);
  if (made == NULL || made->length == 0) return made;
  pthread_mutex_lock(&lr_table.lock);
  for (lr_category *old = lr_table.category; old; old = old->before) {
    if (old->length != made->length || memcmp(old->name, made->name, made->length) != 0) continue;
    pthread_mutex_unlock(&lr_table.lock);
    free(made);
    return old;
  }
  uint32_t last = lr_table.category ? lr_table.category->id : 0;
  // Beyond that they keep their probes and lose their name in the trace.
  if (last < LR_MOST_CATEGORIES) {
    made->id = last + 1;
    made->before = lr_table.category;
    lr_table.category = made;
  }
  pthread_mutex_unlock(&lr_table.lock);
  return made;
}
#endif
