#if defined(__linux__)
#include "lr_recorder.h"

#include <string.h>

// The names that a thread's sequence has interned: an open hash table of their addresses.
#define LR_MOST_NAMES 16000u

/// Writes what a sequence must have said of a name before its first event.
static bool lr_write_name(lr_writer *writer, uint64_t iid, const char *name, const lr_category *category) {
  size_t length = strlen(name);
  bool new_category = category->id && !(writer->categories[category->id / 64] >> category->id % 64 & 1);
  size_t bound = lr_bound(length) + (new_category ? category->length : 0) + 48;
  lr_packet packet;
  if (!lr_packet_open(&packet, writer, bound)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  uint32_t interned = lr_message_open(&packet, LR_PACKET_INTERNED_DATA);
  if (new_category) {
    lr_intern(&packet, LR_INTERNED_CATEGORY, category->id, category->name, category->length);
    writer->categories[category->id / 64] |= UINT64_C(1) << category->id % 64;
  }
  lr_intern(&packet, LR_INTERNED_NAME, iid, name, length);
  lr_message_close(&packet, interned);
  lr_packet_close(&packet);
  return true;
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

static lr_name *lr_name_find(lr_name *names, uint32_t shift, const char *name, const lr_category *category) {
  uint64_t mask = (UINT64_C(1) << (64 - shift)) - 1;
  for (uint64_t at = lr_name_hash(name, category) >> shift;; at = (at + 1) & mask) {
    if (names[at].name == NULL || (names[at].name == name && names[at].category == category)) return &names[at];
  }
}

/// Twice the table. The old one stays: open intervals point into it.
static bool lr_names_grow(lr_writer *writer) {
  uint32_t shift = writer->names_shift - 1;
  lr_name *names = lr_wiped_on_fork(sizeof(lr_name) << (64 - shift));
  if (names == NULL) return false;
  for (uint64_t i = 0; i < UINT64_C(1) << (64 - writer->names_shift); i++) {
    lr_name *old = &writer->names[i];
    if (old->name) *lr_name_find(names, shift, old->name, old->category) = *old;
  }
  writer->names = names;
  writer->names_shift = shift;
  return true;
}

static const lr_category lr_no_category = {0};

const lr_name *lr_name_slow(lr_writer *writer, const char *name, const lr_category *category) {
  if (category == NULL) category = &lr_no_category;
  lr_name *entry = lr_name_find(writer->names, writer->names_shift, name, category);
  if (entry->name == NULL) {
    if (writer->name_count >= LR_MOST_NAMES) name = "(more names than a thread can have)";
    if (writer->name_count * 2 >= UINT32_C(1) << (64 - writer->names_shift) && !lr_names_grow(writer)) return NULL;
    entry = lr_name_find(writer->names, writer->names_shift, name, category);
  }
  if (entry->name == NULL) {
    uint64_t iid = writer->name_count + 1;
    if (!lr_write_name(writer, iid, name, category)) return NULL;
    *entry = (lr_name){name, category, lr_begin_record(category->id, iid),
                       lr_budget_get(LR_BUDGET_INTERVAL, name, strlen(name))};
    writer->name_count++;
  }
  // The event itself needs room behind what was just written.
  return lr_writer_reserve(writer, LR_RECORD) ? entry : NULL;
}
#endif
