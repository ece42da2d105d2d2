// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"
#include "lr_sanitizers.h"

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

// Lists that only grow, at their front. Without a lock: in a fork, a thread that no longer exists might hold it.
#define LR_BUCKETS 256u
static struct {
  lr_string **buckets;
  /// The one made last.
  const lr_category *category;
} lr_table;

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
static uint32_t lr_hash(const char *string, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)string[i]) * 16777619u;
  return hash;
}

#define LR_BUCKETS_SIZE (LR_BUCKETS * sizeof *lr_table.buckets)
#if LR_IS_ADDRESS_SANITIZED
// LeakSanitizer does not look into other pages, and would report the strings as lost.
static lr_string **lr_buckets_new(void) { return calloc(1, LR_BUCKETS_SIZE); }
static void lr_buckets_free(lr_string **buckets) { free(buckets); }
#else
static lr_string **lr_buckets_new(void) { return lr_zeroed(LR_BUCKETS_SIZE); }
static void lr_buckets_free(lr_string **buckets) { munmap(buckets, LR_BUCKETS_SIZE); }
#endif

/// Where the list of such strings begins; NULL without memory.
static lr_string **lr_bucket(const char *string, size_t length) {
  lr_string **buckets = __atomic_load_n(&lr_table.buckets, __ATOMIC_ACQUIRE), **made = NULL;
  if (buckets == NULL) {
    if ((made = lr_buckets_new()) == NULL) return NULL;
    bool is_first = __atomic_compare_exchange_n(&lr_table.buckets, &buckets, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (is_first) buckets = made;
    else lr_buckets_free(made);
  }
  return &buckets[lr_hash(string, length) % LR_BUCKETS];
}

static lr_string *lr_string_new(const char *string, size_t length) {
  lr_string *made = malloc(sizeof *made + length + 1);
  if (made == NULL) return NULL;
  memcpy(made->bytes, string, length);
  made->bytes[length] = 0;
  made->length = length;
  return made;
}

const char *lr_permanent_string(const char *string, size_t length) {
  lr_string **bucket = lr_bucket(string, length), *made = NULL;
  if (bucket == NULL) return NULL;
  lr_string *first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
  do {
    const lr_string *found = first;
    while (found && (found->length != length || memcmp(found->bytes, string, length) != 0)) found = found->next;
    if (found) {
      free(made);
      return found->bytes;
    }
    if (made == NULL && (made = lr_string_new(string, length)) == NULL) return NULL;
    made->next = first;
  } while (!__atomic_compare_exchange_n(bucket, &first, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return made->bytes;
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

/// The category with the same name among `old` and those before it, NULL for none.
static const lr_category *lr_category_find(const lr_category *old, const lr_category_head *made) {
  for (; old; old = lr_category_head_of(old)->before)
    if (lr_category_head_of(old)->length == made->length && memcmp(old, made + 1, made->length) == 0) return old;
  return NULL;
}

/// The category without a name, which has no id either.
static const struct {
  lr_category_head head;
  char name[8];
} lr_nameless;

const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  subsystem_length = lr_cut(subsystem, subsystem_length, 1024);
  category_length = lr_cut(category, category_length, 1024);
  if (subsystem_length + category_length == 0) return lr_category_of(&lr_nameless.head);
  lr_category_head *made = lr_category_new(subsystem, subsystem_length, category, category_length);
  if (made == NULL) return NULL;
  const lr_category *last = __atomic_load_n(&lr_table.category, __ATOMIC_ACQUIRE), *own = lr_category_of(made);
  do {
    const lr_category *old = lr_category_find(last, made);
    if (old) {
      free(made);
      return old;
    }
    // Beyond that number categories keep their probes, but have no name in the trace.
    bool has_id = last == NULL || (lr_category_id(last) && lr_category_id(last) < LR_MOST_CATEGORIES);
    made->id = !has_id ? 0 : last ? lr_category_id(last) + 1 : 1;
    made->before = last;
  } while (!__atomic_compare_exchange_n(&lr_table.category, &last, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return own;
}
#endif
