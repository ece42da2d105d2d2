// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_recorder.h"

// The names that a thread's sequence has interned: an open hash table, keyed by their addresses.
#define LR_MOST_NAMES 16000u

/// Writes what a sequence needs about a name before the name's first event.
static bool lr_write_name(lr_writer *writer, uint64_t iid, const char *name, const lr_category *category) {
  // Without strlen(3), which the loader would look up.
  size_t length = lr_length(name, SIZE_MAX);
  const lr_category_head *head = lr_category_head_of(category);
  bool new_category = head->id && !(writer->categories[head->id / 64] >> head->id % 64 & 1);
  size_t bound = lr_bound(length) + (new_category ? head->length : 0) + 48;
  lr_packet packet;
  if (!lr_interning_open(&packet, writer, bound)) return false;
  if (new_category) {
    lr_intern(&packet, LR_INTERNED_CATEGORY, head->id, (const char *)category, head->length);
    writer->categories[head->id / 64] |= UINT64_C(1) << head->id % 64;
  }
  lr_intern(&packet, LR_INTERNED_NAME, iid, name, length);
  return lr_interning_close(&packet);
}

/// `07 48 01 18 c 50 i i`, or without a category `07 48 01 50 i i i i`: the last word of a begin record.
static uint64_t lr_begin_record(uint32_t category, uint64_t iid) {
  uint64_t low = 0x80 | (iid & 0x7f), high = iid >> 7;
  if (category) return UINT64_C(0x0018014807) | (uint64_t)category << 32 | UINT64_C(0x50) << 40 | low << 48 | high << 56;
  return UINT64_C(0x50014807) | low << 32 | (0x80 | high) << 40 | UINT64_C(0x80) << 48;
}

uint64_t lr_name_iid(const lr_name *name) {
  uint32_t at = (name->record >> 24 & 0xff) == 0x18 ? 48 : 32;
  return (name->record >> at & 0x7f) | (name->record >> (at + 8) & 0x7f) << 7;
}

/// The name's entry, or the free one where it belongs. `mask` as in lr_writer.
static lr_name *lr_name_find(lr_name *names, uint64_t mask, const char *name, const lr_category *category) {
  for (uint64_t at = lr_name_hash(name, category) & mask;; at = (at + sizeof *names) & mask) {
    lr_name *entry = &names[at / sizeof *names];
    if (entry->name == NULL || (entry->name == name && entry->category == category)) return entry;
  }
}

static uint64_t lr_names_count(const lr_writer *writer) { return writer->names_mask / sizeof(lr_name) + 1; }

/// Doubles the table. The old one stays: open intervals point into it.
static bool lr_names_grow(lr_writer *writer) {
  uint64_t count = lr_names_count(writer), mask = (2 * count - 1) * sizeof(lr_name);
  lr_name *names = lr_wiped_on_fork(2 * count * sizeof(lr_name));
  if (names == NULL) return false;
  for (uint64_t i = 0; i < count; i++) {
    lr_name *old = &writer->names[i];
    if (old->name) *lr_name_find(names, mask, old->name, old->category) = *old;
  }
  writer->names = names;
  writer->names_mask = mask;
  return true;
}

const lr_name *lr_name_slow(lr_writer *writer, const char *name, const lr_category *category) {
  lr_name *entry = lr_name_find(writer->names, writer->names_mask, name, category);
  if (entry->name == NULL) {
    if (writer->name_count >= LR_MOST_NAMES) {
      // One entry for all categories: a record has no room for more ids.
      name = "(more names than a thread can have)";
      category = lr_category_make("", 0, "", 0);
    }
    if (writer->name_count * 2 >= lr_names_count(writer) && !lr_names_grow(writer)) {
      lr_count_dropped(1);
      return NULL;
    }
    entry = lr_name_find(writer->names, writer->names_mask, name, category);
  }
  if (entry->name == NULL) {
    uint64_t iid = writer->name_count + 1;
    if (!lr_write_name(writer, iid, name, category)) return NULL;
    uint64_t budget = lr_budget_get(LR_BUDGET_INTERVAL, name, lr_length(name, SIZE_MAX)), most = (UINT64_C(1) << 62) - 1;
    *entry = (lr_name){name, category, lr_begin_record(lr_category_id(category), iid), budget < most ? budget : most};
    writer->name_count++;
  }
  // The event itself needs room after what was just written.
  return lr_writer_reserve(writer, LR_LONGEST_PREPARED) ? entry : NULL;
}
#endif
