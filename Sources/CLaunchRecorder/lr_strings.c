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
/// A program may make a category for each connection, also while nothing is recorded. Beyond that many, new ones have no name.
#define LR_MOST_NAMED 4096u

typedef struct lr_string {
  struct lr_string *next;
  size_t length;
  char bytes[];
} lr_string;

// Lists that only grow, at their front. Without a lock: in a fork, a thread that no longer exists might hold it.
#define LR_BUCKETS 256u
#define LR_CATEGORY_BUCKETS 64u
static struct {
  lr_string **buckets;
  const lr_category_head *categories[LR_CATEGORY_BUCKETS];
  /// How many were made; one of two that are made at once counts, too.
  uint32_t category_count;
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

static const lr_category *lr_category_of(const lr_category_head *head) { return (const lr_category *)(const void *)(head + 1); }

/// The category without a name, which has no id either.
static const struct {
  lr_category_head head;
  char name[8];
} lr_nameless;

/// Allocates a category after its head, with its name. NULL without memory.
static lr_category_head *lr_category_new(const char *name, size_t length) {
  lr_category_head *made = malloc(sizeof *made + length + 1);
  if (made == NULL) return NULL;
  memcpy(made + 1, name, length + 1);
  uint32_t number = __atomic_add_fetch(&lr_table.category_count, 1, __ATOMIC_RELAXED);
  // Beyond that number, categories keep their probes, but have no name in the trace.
  *made = (lr_category_head){.id = number <= LR_MOST_CATEGORIES ? number : 0, .length = (uint32_t)length};
  return made;
}

#define LR_LONGEST_PART 1024u
const lr_category *lr_category_make(const char *subsystem, size_t subsystem_length, const char *category,
                                    size_t category_length) {
  subsystem_length = lr_cut(subsystem, subsystem_length, LR_LONGEST_PART);
  category_length = lr_cut(category, category_length, LR_LONGEST_PART);
  if (subsystem_length + category_length == 0) return lr_category_of(&lr_nameless.head);
  size_t slash = subsystem_length > 0 && category_length > 0, length = subsystem_length + slash + category_length;
  char name[2 * LR_LONGEST_PART + 2];
  memcpy(name, subsystem, subsystem_length);
  if (slash) name[subsystem_length] = '/';
  memcpy(name + subsystem_length + slash, category, category_length);
  name[length] = 0;
  const lr_category_head **bucket = &lr_table.categories[lr_hash(name, length) % LR_CATEGORY_BUCKETS];
  const lr_category_head *first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
  lr_category_head *made = NULL;
  do {
    const lr_category_head *found = first;
    while (found && (found->length != length || memcmp(found + 1, name, length) != 0)) found = found->next;
    if (found) {
      free(made);
      return lr_category_of(found);
    }
    if (__atomic_load_n(&lr_table.category_count, __ATOMIC_RELAXED) >= LR_MOST_NAMED && made == NULL)
      return lr_category_of(&lr_nameless.head);
    if (made == NULL && (made = lr_category_new(name, length)) == NULL) return NULL;
    made->next = first;
  } while (!__atomic_compare_exchange_n(bucket, &first, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return lr_category_of(made);
}
#endif
