// SPDX-License-Identifier: Apache-2.0

// A packet of any length, encoded in place inside the filler of the chunk's rest and published by one store.
#ifndef LR_PACKET_H
#define LR_PACKET_H

#include "lr_writer.h"

#include <string.h>

#pragma GCC visibility push(hidden)

/// The head of the filler for the rest of the file: a three-byte tag and a five-byte length, so that one store writes
/// both. Google's decoders accept no tag and no length of more than five bytes.
static inline uint64_t lr_file_filler(size_t length) {
  return UINT64_C(0x0080fa) | (lr_spread(length - 8) & UINT64_C(0x7fffffffff)) << 24;
}

/// The head for the rest of a chunk, at most 16 KiB: see lr_shorter_filler.
static inline uint64_t lr_chunk_filler(size_t length) {
  return UINT64_C(0x7a) | (lr_spread14(length - 3) | LR_CONTINUED) << 8;
}

/// The longest name or string that is written. Longer ones are cut between characters.
#define LR_LONGEST_STRING 12000u
/// The longest message and metadata value.
#define LR_LONGEST_MESSAGE 2048u

// Field numbers: see docs/trace-format.md.
enum {
  LR_PACKET_CLOCK_SNAPSHOT = 6,
  LR_PACKET_TIMESTAMP = 8,
  LR_PACKET_SEQUENCE_ID = 10,
  LR_PACKET_TRACK_EVENT = 11,
  LR_PACKET_INTERNED_DATA = 12,
  LR_PACKET_SEQUENCE_FLAGS = 13,
  LR_PACKET_DEFAULTS = 59,
  LR_PACKET_TRACK_DESCRIPTOR = 60,
  LR_PACKET_FIRST_ON_SEQUENCE = 87,
  LR_EVENT_CATEGORY_IIDS = 3,
  LR_EVENT_ANNOTATION = 4,
  LR_EVENT_TYPE = 9,
  LR_EVENT_NAME_IID = 10,
  LR_EVENT_TRACK = 11,
  LR_EVENT_CATEGORY = 22,
  LR_EVENT_NAME = 23,
  LR_ANNOTATION_NAME_IID = 1,
  LR_ANNOTATION_POINTER = 7,
  LR_ANNOTATION_STRING_IID = 17,
  LR_INTERNED_CATEGORY = 1,
  LR_INTERNED_NAME = 2,
  LR_INTERNED_ANNOTATION_NAME = 3,
  LR_INTERNED_ANNOTATION_STRING = 29,
};

typedef enum lr_event_type { LR_BEGIN = 1, LR_END = 2, LR_INSTANT = 3 } lr_event_type;

/// Lengths of nested messages use this many bytes.
#define LR_LENGTH_BYTES 2u

typedef struct lr_packet {
  lr_writer *writer;
  uint8_t *start;
  /// Where the next byte goes, and the end of the room.
  uint8_t *at;
  uint8_t *end;
  /// Where in the packet the track event, or the interned data, begins.
  uint32_t message;
  uint8_t type;
} lr_packet;

/// `50 s s`: the packet's sequence, which is below 2^14.
static inline uint32_t lr_sequence_field(uint32_t sequence) {
  return LR_PACKET_SEQUENCE_ID << 3 | (uint32_t)(lr_spread14(sequence) | LR_CONTINUED) << 8;
}

/// Copies with a few loads and stores. The last ones may overlap bytes that are already copied.
static inline void lr_copy_short(uint8_t *to, const char *from, size_t length) {
  if (length >= 16) {
    for (size_t at = 0; at + 16 < length; at += 16) __builtin_memcpy(to + at, from + at, 16);
    __builtin_memcpy(to + length - 16, from + length - 16, 16);
  } else if (length >= 8) {
    __builtin_memcpy(to, from, 8);
    __builtin_memcpy(to + length - 8, from + length - 8, 8);
  } else if (length >= 4) {
    __builtin_memcpy(to, from, 4);
    __builtin_memcpy(to + length - 4, from + length - 4, 4);
  } else {
    for (size_t at = 0; at < length; at++) to[at] = (uint8_t)from[at];
  }
}

/// libc copies longer strings faster.
static inline void lr_copy_bytes(uint8_t *to, const char *from, size_t length) {
  if (length > 64) memcpy(to, from, length);
  else lr_copy_short(to, from, length);
}

static inline uint8_t *lr_store(uint8_t *at, uint64_t word) {
  __builtin_memcpy(at, &word, 8);
  return at + 8;
}

/// Uses nine bytes, which hold 63 bits.
static inline uint8_t *lr_store_padded(uint8_t *at, uint64_t value) {
  at = lr_store(at, lr_spread(value));
  *at++ = (uint8_t)(value >> 56 & 0x7f);
  return at;
}

/// Uses two bytes, which hold 14 bits: more than the size of a chunk.
static inline uint8_t *lr_store_length(uint8_t *at, size_t length) {
  uint16_t spread = (uint16_t)(lr_spread14(length) | LR_CONTINUED);
  __builtin_memcpy(at, &spread, 2);
  return at + 2;
}

/// Opens a packet of at most `bound` bytes after its own header. False if it cannot be written (counted as dropped).
bool lr_packet_open(lr_packet *packet, lr_writer *writer, size_t bound);
void lr_packet_close(lr_packet *packet);

/// `length` cut to the limit, before a UTF-8 character that the limit would split.
size_t lr_cut(const char *string, size_t length, size_t limit);

void lr_put_varint(lr_packet *packet, uint32_t field, uint64_t value);
void lr_put_string(lr_packet *packet, uint32_t field, const char *string, size_t length);
bool lr_is_utf8(const char *string, size_t length);
/// Protobuf strings must be UTF-8. In a text that is not, each byte that is not ASCII becomes `?`.
void lr_make_utf8(uint8_t *text, size_t length);
/// A string from outside (a path, an argument, a thread's name), made UTF-8.
void lr_put_foreign_string(lr_packet *packet, uint32_t field, const char *string, size_t length);
/// A nested message; pass the result to `lr_message_close`.
uint32_t lr_message_open(lr_packet *packet, uint32_t field);
void lr_message_close(lr_packet *packet, uint32_t message);
/// Opens a packet with InternedData, which depends on earlier packets of its sequence. False without a writer, too.
bool lr_interning_open(lr_packet *packet, lr_writer *writer, size_t bound);
/// Returns true.
bool lr_interning_close(lr_packet *packet);
/// Writes into InternedData that `iid` means this string in the following packets of the sequence.
void lr_intern(lr_packet *packet, uint32_t field, uint64_t iid, const char *string, size_t length);

/// The most bytes that a string of `length` takes, for the bound of a packet.
static inline size_t lr_bound(size_t length) { return length < LR_LONGEST_STRING ? length : LR_LONGEST_STRING; }

// MARK: Track events, from open to close

/// The most bytes that a packet with a track event takes.
size_t lr_event_size(size_t bound);
/// Opens a packet with a track event at `ns`. `track` 0: the thread's own. `bound`: bytes that the caller will add.
bool lr_event_open(lr_packet *packet, lr_writer *writer, uint64_t ns, lr_event_type type, uint64_t track, size_t bound);
void lr_event_close(lr_packet *packet);
/// What a milestone adds to its event.
#define LR_MARK_BOUND(name_length) (48 + lr_bound(name_length))
/// The size of an annotation with a padded number.
#define LR_PADDED_ANNOTATION(key_length) ((key_length) + 15u)
/// `22 l l 52 n key 18 value×9`; returns where the next one goes.
static inline uint8_t *lr_annotate_padded(uint8_t *at, const char *key, size_t key_length, uint64_t value) {
  uint64_t spread = lr_spread(value);
  at[0] = LR_EVENT_ANNOTATION << 3 | 2;
  at[1] = (uint8_t)(key_length + 12) | 0x80;
  at[2] = 0;
  at[3] = 0x52;
  at[4] = (uint8_t)key_length;
  memcpy(at + 5, key, key_length);
  at[5 + key_length] = 0x18;
  memcpy(at + 6 + key_length, &spread, 8);
  at[14 + key_length] = (uint8_t)(value >> 56 & 0x7f);
  return at + LR_PADDED_ANNOTATION(key_length);
}
void lr_event_names(lr_packet *packet, const char *category, size_t category_length, const char *name, size_t name_length);
/// The event's category, a literal, and its name.
static inline void lr_event_name(lr_packet *packet, const char *category, const char *name, size_t name_length) {
  lr_event_names(packet, category, strlen(category), name, name_length);
}
/// `field` is the value's field: 2 bool, 3 unsigned, 7 pointer.
void lr_annotate_number(lr_packet *packet, const char *key, size_t key_length, uint32_t field, uint64_t value);
void lr_annotate_string(lr_packet *packet, const char *key, size_t key_length, const char *value, size_t length);
static inline void lr_annotate_bool(lr_packet *packet, const char *key, size_t key_length, bool value) {
  lr_annotate_number(packet, key, key_length, 2, value);
}
static inline void lr_annotate_uint(lr_packet *packet, const char *key, size_t key_length, uint64_t value) {
  lr_annotate_number(packet, key, key_length, 3, value);
}
/// Returns the 8-aligned address of the value's eight bytes in the file, which may be stored to at any time. NULL if
/// there is no room.
uint64_t *lr_annotate_double(lr_packet *packet, const char *key, size_t key_length, double value);
/// Room for an annotation with a key of up to 30 bytes, not counting its string.
#define LR_ANNOTATION 64u

#pragma GCC visibility pop

#endif
