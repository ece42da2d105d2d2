#if defined(__linux__)
#include "lr_packet.h"
#include "lr_recorder.h"

#include <string.h>

/// Field 15, length-delimited.
#define LR_FILLER_TAG 0x7au
#define LR_LENGTH_BYTES 3u
#define LR_HEADER (1u + LR_LENGTH_BYTES)
#define LR_LONGEST_VARINT 10u

// Not inlined: at start-up, code that is read for the first time costs more than a call.
__attribute__((noinline)) static void lr_put_byte(lr_packet *packet, uint8_t byte) {
  if (packet->length >= packet->capacity) return;
  if (packet->length < 8) packet->head.bytes[packet->length] = byte;
  else packet->start[packet->length] = byte;
  packet->length++;
}

static void lr_put_bytes(lr_packet *packet, const char *bytes, size_t length) {
  for (; length > 0 && packet->length < 8; length--) lr_put_byte(packet, (uint8_t)*bytes++);
  if (length > packet->capacity - packet->length) length = packet->capacity - packet->length;
  memcpy(packet->start + packet->length, bytes, length);
  packet->length += (uint32_t)length;
}

/// Where the next bytes go when there is room for `count` of them behind the head; else NULL.
static uint8_t *lr_place(const lr_packet *packet, uint32_t count) {
  bool is_there = packet->length >= 8 && packet->capacity - packet->length >= count;
  return is_there ? packet->start + packet->length : NULL;
}

__attribute__((noinline)) static void lr_put_raw_varint(lr_packet *packet, uint64_t value) {
  uint8_t *at = lr_place(packet, LR_LONGEST_VARINT);
  if (at == NULL) {
    for (; value >= 0x80; value >>= 7) lr_put_byte(packet, (uint8_t)(value | 0x80));
    lr_put_byte(packet, (uint8_t)value);
    return;
  }
  uint32_t count = 0;
  for (; value >= 0x80; value >>= 7) at[count++] = (uint8_t)(value | 0x80);
  at[count++] = (uint8_t)value;
  packet->length += count;
}

void lr_put_varint(lr_packet *packet, uint32_t field, uint64_t value) {
  lr_put_raw_varint(packet, field << 3);
  lr_put_raw_varint(packet, value);
}

void lr_put_fixed64(lr_packet *packet, uint32_t field, uint64_t value) {
  lr_put_raw_varint(packet, field << 3 | 1);
  for (int i = 0; i < 8; i++) lr_put_byte(packet, (uint8_t)(value >> (8 * i)));
}


size_t lr_cut(const char *string, size_t length, size_t limit) {
  if (length <= limit) return length;
  while (limit > 0 && ((uint8_t)string[limit] & 0xc0) == 0x80) limit--;
  return limit;
}

void lr_put_string(lr_packet *packet, uint32_t field, const char *string, size_t length) {
  length = lr_cut(string, length, LR_LONGEST_STRING);
  lr_put_raw_varint(packet, field << 3 | 2);
  lr_put_raw_varint(packet, length);
  lr_put_bytes(packet, string, length);
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

static bool lr_is_utf8(const char *string, size_t length) {
  size_t at = 0;
  // Most is ASCII, eight at a time.
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

void lr_put_foreign_string(lr_packet *packet, uint32_t field, const char *string, size_t length) {
  length = lr_cut(string, length, LR_LONGEST_STRING);
  if (lr_is_utf8(string, length)) {
    lr_put_string(packet, field, string, length);
    return;
  }
  lr_put_raw_varint(packet, field << 3 | 2);
  lr_put_raw_varint(packet, length);
  for (size_t i = 0; i < length; i++) lr_put_byte(packet, (uint8_t)string[i] < 0x80 ? (uint8_t)string[i] : '?');
}

/// A length in three bytes, written when the message is whole.
static void lr_patch_length(lr_packet *packet, uint32_t at, uint32_t length) {
  uint32_t end = packet->length;
  packet->length = at;
  lr_put_byte(packet, (uint8_t)(length | 0x80));
  lr_put_byte(packet, (uint8_t)(length >> 7 | 0x80));
  lr_put_byte(packet, (uint8_t)(length >> 14 & 0x7f));
  packet->length = end;
}

uint32_t lr_message_open(lr_packet *packet, uint32_t field) {
  lr_put_raw_varint(packet, field << 3 | 2);
  uint32_t at = packet->length;
  packet->length += LR_LENGTH_BYTES;
  return at;
}

void lr_message_close(lr_packet *packet, uint32_t message) {
  lr_patch_length(packet, message, packet->length - message - LR_LENGTH_BYTES);
}

void lr_intern(lr_packet *packet, uint32_t field, uint64_t iid, const char *string, size_t length) {
  uint32_t entry = lr_message_open(packet, field);
  lr_put_varint(packet, 1, iid);
  lr_put_foreign_string(packet, 2, string, length);
  lr_message_close(packet, entry);
}

bool lr_packet_open(lr_packet *packet, lr_writer *writer, size_t bound) {
  // What is left of the last eight bytes is a filler of its own, which cannot be a single byte.
  size_t capacity = (LR_HEADER + bound + 9) & ~(size_t)7;
  if (!lr_writer_reserve(writer, capacity)) return false;
  packet->writer = writer;
  packet->start = writer->cursor;
  packet->capacity = (uint32_t)capacity;
  packet->length = LR_HEADER;
  lr_put_varint(packet, LR_PACKET_SEQUENCE_ID, writer->sequence);
  return true;
}

void lr_packet_close(lr_packet *packet) {
  uint32_t length = packet->length;
  packet->length = 0;
  lr_put_byte(packet, 0x0a);
  lr_patch_length(packet, 1, length - LR_HEADER);
  uint32_t whole = (length + 7) & ~7u, rest = whole - length;
  if (rest == 1) {
    whole += 8;
    rest = 9;
  }
  if (rest > 0) {
    packet->start[length] = LR_FILLER_TAG;
    packet->start[length + 1] = (uint8_t)(rest - 2);
  }
  lr_publish_record(packet->writer, whole, packet->head.word);
}

// MARK: Track events

bool lr_event_open(lr_packet *packet, lr_writer *writer, uint64_t ns, lr_event_type type, uint64_t track, size_t bound) {
  if (!lr_packet_open(packet, writer, 48 + bound)) return false;
  lr_put_varint(packet, LR_PACKET_TIMESTAMP, ns);
  packet->track_event = lr_message_open(packet, LR_PACKET_TRACK_EVENT);
  packet->type = (uint8_t)type;
  lr_put_varint(packet, LR_EVENT_TYPE, type);
  if (track) lr_put_varint(packet, LR_EVENT_TRACK, track);
  return true;
}

void lr_event_close(lr_packet *packet) {
  lr_message_close(packet, packet->track_event);
  lr_packet_close(packet);
}

void lr_event_name(lr_packet *packet, const char *category, const char *name, size_t name_length) {
  lr_put_string(packet, LR_EVENT_CATEGORY, category, lr_length(category, LR_LONGEST_STRING));
  lr_put_foreign_string(packet, LR_EVENT_NAME, name, name_length);
}

static uint32_t lr_annotation_open(lr_packet *packet, const char *key) {
  uint32_t annotation = lr_message_open(packet, LR_EVENT_ANNOTATION);
  lr_put_string(packet, 10, key, lr_length(key, LR_LONGEST_STRING));
  return annotation;
}

void lr_annotate_uint(lr_packet *packet, const char *key, uint64_t value) {
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_varint(packet, 3, value);
  lr_message_close(packet, annotation);
}

void lr_annotate_bool(lr_packet *packet, const char *key, bool value) {
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_varint(packet, 2, value);
  lr_message_close(packet, annotation);
}

void lr_annotate_pointer(lr_packet *packet, const char *key, uint64_t value) {
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_varint(packet, 7, value);
  lr_message_close(packet, annotation);
}

void lr_annotate_string(lr_packet *packet, const char *key, const char *value, size_t length) {
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_string(packet, 6, value, length);
  lr_message_close(packet, annotation);
}

void lr_annotate_foreign_string(lr_packet *packet, const char *key, const char *value, size_t length) {
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_foreign_string(packet, 6, value, length);
  lr_message_close(packet, annotation);
}

uint64_t *lr_annotate_double(lr_packet *packet, const char *key, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  // The event's type once more, in as many bytes as align the value: of a repeated field, the last one counts.
  uint32_t before = 1 + LR_LENGTH_BYTES + 2 + (uint32_t)strlen(key) + 1;
  uint32_t padding = (8 - (packet->length + before) % 8) % 8;
  if (padding == 1) padding = 9;
  if (padding) {
    lr_put_byte(packet, LR_EVENT_TYPE << 3);
    for (uint32_t i = 2; i < padding; i++) lr_put_byte(packet, i == 2 ? packet->type | 0x80 : 0x80);
    lr_put_byte(packet, padding == 2 ? packet->type : 0);
  }
  uint32_t annotation = lr_annotation_open(packet, key);
  lr_put_fixed64(packet, 5, bits);
  lr_message_close(packet, annotation);
  return (uint64_t *)(void *)(packet->start + packet->length - 8);
}
#endif
