// A packet of any length, encoded in place inside the filler of the chunk's rest and published by one store.
#ifndef LR_PACKET_H
#define LR_PACKET_H

#include "lr_writer.h"

/// The head of a filler over `length` bytes, however many: see lr_rest_filler. Google's decoders take no tag and no length of
/// more than five bytes.
static inline uint64_t lr_filler(size_t length) {
  return UINT64_C(0x0080fa) | (lr_spread(length - 8) & UINT64_C(0x7fffffffff)) << 24;
}

/// The longest name or string that is written; longer ones are cut at a character.
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
  LR_EVENT_DOUBLE_COUNTER = 44,
  LR_ANNOTATION_NAME_IID = 1,
  LR_ANNOTATION_POINTER = 7,
  LR_ANNOTATION_STRING_IID = 17,
  LR_INTERNED_CATEGORY = 1,
  LR_INTERNED_NAME = 2,
  LR_INTERNED_ANNOTATION_NAME = 3,
  LR_INTERNED_ANNOTATION_STRING = 29,
};

typedef enum lr_event_type { LR_BEGIN = 1, LR_END = 2, LR_INSTANT = 3, LR_COUNTER = 4 } lr_event_type;

typedef struct lr_packet {
  lr_writer *writer;
  uint8_t *start;
  uint32_t length;
  uint32_t capacity;
  uint32_t track_event;
  uint8_t type;
  union {
    uint8_t bytes[8];
    uint64_t word;
  } head;
} lr_packet;

/// Opens a packet of at most `bound` bytes behind its own header. False when it cannot be written (counted as dropped).
bool lr_packet_open(lr_packet *packet, lr_writer *writer, size_t bound);
void lr_packet_close(lr_packet *packet);

/// `length` cut to the limit, before a UTF-8 character that would be broken.
size_t lr_cut(const char *string, size_t length, size_t limit);

void lr_put_varint(lr_packet *packet, uint32_t field, uint64_t value);
void lr_put_fixed64(lr_packet *packet, uint32_t field, uint64_t value);
void lr_put_string(lr_packet *packet, uint32_t field, const char *string, size_t length);
/// A string from outside (a path, an argument, a thread's name): if it is not UTF-8, which protobuf strings have to be,
/// with `?` for every byte that is not ASCII.
void lr_put_foreign_string(lr_packet *packet, uint32_t field, const char *string, size_t length);
/// A nested message; pass the result to `lr_message_close`.
uint32_t lr_message_open(lr_packet *packet, uint32_t field);
void lr_message_close(lr_packet *packet, uint32_t message);
/// Into InternedData: that `iid` stands for a string in what follows on this sequence.
void lr_intern(lr_packet *packet, uint32_t field, uint64_t iid, const char *string, size_t length);

/// Bytes that a string of `length` takes at the most, for the bound of a packet.
static inline size_t lr_bound(size_t length) { return length < LR_LONGEST_STRING ? length : LR_LONGEST_STRING; }

// MARK: Track events, from open to close

/// Opens a packet with a track event at `ns`. `track` 0: the thread's own. `bound`: bytes of what is added to it.
bool lr_event_open(lr_packet *packet, lr_writer *writer, uint64_t ns, lr_event_type type, uint64_t track, size_t bound);
void lr_event_close(lr_packet *packet);
void lr_event_name(lr_packet *packet, const char *category, const char *name, size_t name_length);
void lr_annotate_uint(lr_packet *packet, const char *key, uint64_t value);
void lr_annotate_bool(lr_packet *packet, const char *key, bool value);
void lr_annotate_pointer(lr_packet *packet, const char *key, uint64_t value);
void lr_annotate_string(lr_packet *packet, const char *key, const char *value, size_t length);
void lr_annotate_foreign_string(lr_packet *packet, const char *key, const char *value, size_t length);
/// Returns where the value's eight bytes will stand in the file, 8-aligned: they may be stored to for ever.
uint64_t *lr_annotate_double(lr_packet *packet, const char *key, double value);
/// Room for an annotation with a key of up to 30 bytes, without its string.
#define LR_ANNOTATION 64u

#endif
