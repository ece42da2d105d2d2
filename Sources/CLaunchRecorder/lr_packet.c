// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#include "lr_packet.h"
#include "lr_recorder.h"

#include <string.h>
#include "lr_start_code.h"

/// Field 15, length-delimited.
#define LR_FILLER_TAG 0x7au
/// `0a`, a length of four bytes, and the sequence. One store publishes them.
#define LR_HEADER 8u
#define LR_LONGEST_VARINT 10u
/// A caller may ask lr_place for up to this many bytes more than it then writes.
#define LR_SLACK 16u

/// Where the next `count` bytes go. Callers open packets with room for all that they write, so there is always room.
/// Without room nothing is written.
static inline uint8_t *lr_place(const lr_packet *packet, size_t count) {
  return __builtin_expect((size_t)(packet->end - packet->at) >= count, 1) ? packet->at : NULL;
}

static inline uint8_t *lr_store_varint(uint8_t *at, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

/// A tag of up to three bytes.
static inline uint8_t *lr_store_tag(uint8_t *at, uint32_t field, uint32_t type) {
  return lr_store_varint(at, field << 3 | type);
}

static inline uint8_t *lr_store_string(uint8_t *at, uint32_t field, const char *string, size_t length) {
  at = lr_store_varint(lr_store_tag(at, field, 2), length);
  lr_copy_bytes(at, string, length);
  return at + length;
}

/// The bytes that a string of `length` takes with a tag of up to three bytes.
static inline size_t lr_string_size(size_t length) { return length + 3 + 2; }

void lr_put_varint(lr_packet *packet, uint32_t field, uint64_t value) {
  uint8_t *at = lr_place(packet, 3 + LR_LONGEST_VARINT);
  if (at) packet->at = lr_store_varint(lr_store_tag(at, field, 0), value);
}

size_t lr_cut(const char *string, size_t length, size_t limit) {
  if (length <= limit) return length;
  while (limit > 0 && ((uint8_t)string[limit] & 0xc0) == 0x80) limit--;
  return limit;
}

void lr_put_string(lr_packet *packet, uint32_t field, const char *string, size_t length) {
  length = lr_cut(string, length, LR_LONGEST_STRING);
  uint8_t *at = lr_place(packet, lr_string_size(length));
  if (at) packet->at = lr_store_string(at, field, string, length);
}

/// The length of the UTF-8 character at `at`, 0 if there is none: RFC 3629, section 4.
static size_t lr_character(const uint8_t *at, size_t left) {
  if (at[0] < 0x80) return 1;
  size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
  if (at[0] < 0xc2 || at[0] > 0xf4 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  bool is_overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
  bool is_beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
  return is_overlong || is_beyond ? 0 : length;
}

bool lr_is_utf8(const char *string, size_t length) {
  size_t at = 0;
  // Most text is ASCII: check eight bytes at a time.
  for (uint64_t eight; at + 8 <= length; at += 8) {
    __builtin_memcpy(&eight, string + at, 8);
    if (eight & UINT64_C(0x8080808080808080)) break;
  }
  for (size_t step; at < length; at += step) {
    step = lr_character((const uint8_t *)string + at, length - at);
    if (step == 0) return false;
  }
  return true;
}

// Not inlined into each function that writes a string: that would be 4 KiB more of code at the start.
__attribute__((noinline)) void lr_make_utf8(uint8_t *text, size_t length) {
  if (lr_is_utf8((const char *)text, length)) return;
  for (size_t i = 0; i < length; i++)
    if (text[i] >= 0x80) text[i] = '?';
}

void lr_put_foreign_string(lr_packet *packet, uint32_t field, const char *string, size_t length) {
  length = lr_cut(string, length, LR_LONGEST_STRING);
  const uint8_t *before = packet->at;
  lr_put_string(packet, field, string, length);
  if (packet->at != before) lr_make_utf8(packet->at - length, length);
}

uint32_t lr_message_open(lr_packet *packet, uint32_t field) {
  uint8_t *at = lr_place(packet, 3 + LR_LENGTH_BYTES);
  if (at) packet->at = lr_store_tag(at, field, 2) + LR_LENGTH_BYTES;
  return (uint32_t)(packet->at - packet->start);
}

void lr_message_close(lr_packet *packet, uint32_t message) {
  uint8_t *start = packet->start + message;
  lr_store_length(start - LR_LENGTH_BYTES, (size_t)(packet->at - start));
}

void lr_intern(lr_packet *packet, uint32_t field, uint64_t iid, const char *string, size_t length) {
  uint32_t entry = lr_message_open(packet, field);
  lr_put_varint(packet, 1, iid);
  lr_put_foreign_string(packet, 2, string, length);
  lr_message_close(packet, entry);
}

/// The unused part of the last eight bytes becomes a filler of its own, which cannot be a single byte.
static inline size_t lr_packet_size(size_t bound) { return (LR_HEADER + bound + LR_SLACK + 9) & ~(size_t)7; }

bool lr_packet_open(lr_packet *packet, lr_writer *writer, size_t bound) {
  if (!lr_writer_reserve(writer, lr_packet_size(bound))) return false;
  packet->writer = writer;
  packet->start = writer->cursor;
  packet->at = packet->start + LR_HEADER;
  packet->end = packet->at + bound + LR_SLACK;
  return true;
}

void lr_packet_close(lr_packet *packet) {
  size_t length = (size_t)(packet->at - packet->start), whole = (length + 7) & ~(size_t)7;
  if (whole - length == 1) whole += 8;
  if (whole > length) {
    packet->at[0] = LR_FILLER_TAG;
    packet->at[1] = (uint8_t)(whole - length - 2);
  }
  uint64_t behind_length = lr_spread14(length - 5) | LR_CONTINUED | UINT64_C(0x8000) | UINT64_C(0x800000);
  uint64_t head = UINT64_C(0x0a) | behind_length << 8 | (uint64_t)lr_sequence_field(packet->writer->sequence) << 40;
  lr_publish_record(packet->writer, packet->start, whole, head);
}

bool lr_interning_open(lr_packet *packet, lr_writer *writer, size_t bound) {
  if (writer == NULL || !lr_packet_open(packet, writer, bound)) return false;
  lr_put_varint(packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  packet->message = lr_message_open(packet, LR_PACKET_INTERNED_DATA);
  return true;
}

bool lr_interning_close(lr_packet *packet) {
  lr_message_close(packet, packet->message);
  lr_packet_close(packet);
  return true;
}

// MARK: Track events

#define LR_EVENT_BOUND 40u

size_t lr_event_size(size_t bound) { return lr_packet_size(LR_EVENT_BOUND + bound); }

bool lr_event_open(lr_packet *packet, lr_writer *writer, uint64_t ns, lr_event_type type, uint64_t track, size_t bound) {
  if (!lr_packet_open(packet, writer, LR_EVENT_BOUND + bound)) return false;
  uint8_t *at = packet->at;
  *at++ = LR_PACKET_TIMESTAMP << 3;
  at = lr_store_padded(at, ns);
  *at++ = LR_PACKET_TRACK_EVENT << 3 | 2;
  at += LR_LENGTH_BYTES;
  packet->message = (uint32_t)(at - packet->start);
  packet->type = (uint8_t)type;
  *at++ = LR_EVENT_TYPE << 3;
  *at++ = (uint8_t)type;
  if (track) {
    *at++ = LR_EVENT_TRACK << 3;
    at = lr_store_padded(at, track);
  }
  packet->at = at;
  return true;
}

void lr_event_close(lr_packet *packet) {
  lr_message_close(packet, packet->message);
  lr_packet_close(packet);
}

void lr_event_names(lr_packet *packet, const char *category, size_t category_length, const char *name, size_t name_length) {
  lr_put_string(packet, LR_EVENT_CATEGORY, category, category_length);
  lr_put_foreign_string(packet, LR_EVENT_NAME, name, name_length);
}

/// Begins an annotation with up to `size` bytes after its key; NULL if there is no room. lr_annotation_close ends it.
static uint8_t *lr_annotation_open(const lr_packet *packet, const char *key, size_t key_length, size_t size) {
  uint8_t *at = lr_place(packet, 1 + LR_LENGTH_BYTES + lr_string_size(key_length) + size);
  if (at == NULL) return NULL;
  *at++ = LR_EVENT_ANNOTATION << 3 | 2;
  return lr_store_string(at + LR_LENGTH_BYTES, 10, key, key_length);
}

static void lr_annotation_close(lr_packet *packet, uint8_t *end) {
  uint8_t *start = packet->at + 1 + LR_LENGTH_BYTES;
  lr_store_length(packet->at + 1, (size_t)(end - start));
  packet->at = end;
}

void lr_annotate_number(lr_packet *packet, const char *key, size_t key_length, uint32_t field, uint64_t value) {
  uint8_t *at = lr_annotation_open(packet, key, key_length, 1 + LR_LONGEST_VARINT);
  if (at) lr_annotation_close(packet, lr_store_varint(lr_store_tag(at, field, 0), value));
}

void lr_annotate_string(lr_packet *packet, const char *key, size_t key_length, const char *value, size_t length) {
  length = lr_cut(value, length, LR_LONGEST_STRING);
  uint8_t *at = lr_annotation_open(packet, key, key_length, lr_string_size(length));
  if (at) lr_annotation_close(packet, lr_store_string(at, 6, value, length));
}

uint64_t *lr_annotate_double(lr_packet *packet, const char *key, size_t key_length, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  // Writes the event's type again, in as many bytes as align the value: for a repeated field, the last one counts.
  size_t before = 1 + LR_LENGTH_BYTES + 2 + key_length + 1;
  size_t padding = (8 - ((size_t)(packet->at - packet->start) + before) % 8) % 8;
  if (padding == 1) padding = 9;
  if (lr_place(packet, padding + before + 16) == NULL) return NULL;
  if (padding) {
    *packet->at++ = LR_EVENT_TYPE << 3;
    for (size_t i = 2; i < padding; i++) *packet->at++ = i == 2 ? packet->type | 0x80 : 0x80;
    *packet->at++ = padding == 2 ? packet->type : 0;
  }
  uint8_t *at = lr_annotation_open(packet, key, key_length, 1 + 8);
  at = lr_store(lr_store_tag(at, 5, 1), bits);
  lr_annotation_close(packet, at);
  return (uint64_t *)(void *)(at - 8);
}
#endif
