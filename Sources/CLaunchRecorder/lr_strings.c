// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#define LR_ALWAYS_RUNS
#include "lr_start_code.h"

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
  const lr_category *category;
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

/// Allocates a category after its head, with its name.
static lr_category_head *lr_category_new(const char *subsystem, size_t subsystem_length, const char *category,
                                         size_t category_length) {
  size_t slash = subsystem_length > 0 && category_length > 0, length = subsystem_length + slash + category_length;
  lr_category_head *made = malloc(sizeof *made + length + 1);
  if (made == NULL) return NULL;
  char *name = (char *)(made + 1);
  memcpy(name, subsystem, subsystem_length);
  if (slash) name[subsystem_length] = '/';
  memcpy(name + subsystem_length + slash, category, category_length);
  name[length] = 0;
  *made = (lr_category_head){.length = (uint32_t)length};
  return made;
}

static const lr_category *lr_category_of(const lr_category_head *head) { return (const lr_category *)(const void *)(head + 1); }

/// An earlier category with the same name, NULL for none. The caller holds the lock.
static const lr_category *lr_category_find(const lr_category_head *made) {
  const lr_category *old = lr_table.category;
  for (; old; old = lr_category_head_of(old)->before)
    if (lr_category_head_of(old)->length == made->length && memcmp(old, made + 1, made->length) == 0) return old;
  return NULL;
}

const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  if (subsystem_length > 1024) subsystem_length = 1024;
  if (category_length > 1024) category_length = 1024;
  lr_category_head *made = lr_category_new(subsystem, subsystem_length, category, category_length);
  if (made == NULL) return NULL;
  if (made->length == 0) return lr_category_of(made);
  pthread_mutex_lock(&lr_table.lock);
  const lr_category *old = lr_category_find(made);
  uint32_t last = lr_table.category ? lr_category_id(lr_table.category) : 0;
  // Beyond that number categories keep their probes, but have no name in the trace.
  if (old == NULL && last < LR_MOST_CATEGORIES) {
    made->id = last + 1;
    made->before = lr_table.category;
    lr_table.category = lr_category_of(made);
  }
  pthread_mutex_unlock(&lr_table.lock);
  if (old) free(made);
  return old ? old : lr_category_of(made);
}
#endif
