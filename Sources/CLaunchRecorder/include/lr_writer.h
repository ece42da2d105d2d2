// One thread's writer: its chunk of the trace file, its clock, the names it has interned. Owned by its thread.
#ifndef LR_WRITER_H
#define LR_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of a plain begin, end or instant. Every record is a multiple of eight bytes long.
#define LR_RECORD 24

/// A signposter's subsystem and category. Permanent. Not defined here: what Swift can look into has metadata, too.
typedef struct lr_category lr_category;
/// Where in it `<subsystem>/<category>` stands, NUL-terminated.
#define LR_CATEGORY_NAME 16u

/// A name that this thread's sequence has interned, with the last word of its begin record.
typedef struct lr_name {
  const char *name;
  const lr_category *category;
  uint64_t record;
  /// ns; what takes longer on the main thread is flagged.
  uint64_t budget;
} lr_name;

typedef struct lr_writer {
  /// Where the next record begins: a filler that covers the rest of the chunk stands there.
  uint8_t *cursor;
  /// From here on there is no room for a plain record and the filler behind it. A cursor that is not before it: full,
  /// or a forked child (this memory is wiped on fork: both are NULL).
  uint8_t *limit;
  /// ns = clock_ns + ((ticks - clock_ticks) * clock_rate >> 32), while ticks - clock_ticks < clock_window.
  uint64_t clock_ticks;
  uint64_t clock_ns;
  uint64_t clock_rate;
  uint64_t clock_window;
  /// The bytes `50 s s 5a` of every record, in place.
  uint64_t sequence_bytes;
  lr_name *names;
  uint32_t names_shift;
  /// The end of the chunk.
  uint8_t *end;
  // The rest is not touched on the hot path.
  uint32_t clock_failures;
  uint64_t anchor_ticks;
  uint64_t anchor_ns;
  uint32_t name_count;
  uint32_t sequence;
  uint64_t track;
  uint64_t categories[2];
  int32_t thread;
  int32_t free_lane_count;
  uint32_t free_lanes[8];
  struct lr_writer *next_free;
} lr_writer;

/// 0: off. Read with one load on every call; everything else happens behind it.
extern int lr_recording;
extern _Thread_local lr_writer *lr_current __attribute__((tls_model("initial-exec")));

/// The calling thread's writer with room for a plain record, or NULL (not recording, full, forked child).
lr_writer *lr_writer_slow(void);
/// Reads the system's clock and calibrates again. ns.
uint64_t lr_clock_slow(lr_writer *writer);
const lr_name *lr_name_slow(lr_writer *writer, const char *name, const lr_category *category);

static inline uint64_t lr_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/// CLOCK_MONOTONIC, ns, from the cycle counter while its calibration holds.
static inline uint64_t lr_now(lr_writer *writer) {
  uint64_t elapsed = lr_ticks() - writer->clock_ticks;
  if (__builtin_expect(elapsed >= writer->clock_window, 0)) return lr_clock_slow(writer);
  return writer->clock_ns + (elapsed * writer->clock_rate >> 32);
}

static inline lr_writer *lr_writer_get(void) {
  lr_writer *writer = lr_current;
  if (__builtin_expect(writer == NULL || writer->cursor >= writer->limit, 0)) return lr_writer_slow();
  return writer;
}

/// Where a name's entry is looked for first, in the upper bits: Fibonacci hashing, Knuth's TAOCP 3, 6.4.
static inline uint64_t lr_name_hash(const char *name, const lr_category *category) {
  return ((uint64_t)(uintptr_t)name ^ (uint64_t)(uintptr_t)category << 7) * 0x9E3779B97F4A7C15u;
}

static inline const lr_name *lr_name_get(lr_writer *writer, const char *name, const lr_category *category) {
  lr_name *entry = &writer->names[lr_name_hash(name, category) >> writer->names_shift];
  if (__builtin_expect(entry->name == name && entry->category == category, 1)) return entry;
  return lr_name_slow(writer, name, category);
}

#define LR_RECORD_END UINT64_C(0x0080808268024802)
#define LR_RECORD_BEGIN_TO_INSTANT (UINT64_C(2) << 16)

/// Spreads the low 56 bits of `value` over eight bytes of seven, each with the continuation bit: a padded varint.
static inline uint64_t lr_spread(uint64_t value) {
  value = (value & 0x000000000FFFFFFFu) | (value & 0x00FFFFFFF0000000u) << 4;
  value = (value & 0x00003FFF00003FFFu) | (value & 0x0FFFC0000FFFC000u) << 2;
  value = (value & 0x007F007F007F007Fu) | (value & 0x3F803F803F803F80u) << 1;
  return value | 0x8080808080808080u;
}

/// The head of a filler over the `length` bytes (a multiple of eight, less than 16 KiB + 8) to the end of a chunk: field 15,
/// which `Trace` does not have. Tag in three bytes, length in five, so that one store writes both.
static inline uint64_t lr_rest_filler(size_t length) {
  uint64_t rest = length - 8;
  return UINT64_C(0x00808080800080fa) | (rest & 0x7f) << 24 | (rest & 0x3f80) << 25;
}

/// Makes the record of `length` bytes at the cursor part of the file: its bytes from the ninth on are there. The filler of
/// what is left is written behind it, then the one aligned store of its head replaces the filler that hid them both.
///
/// At every instant the bytes parse, also for somebody who reads them from front to back meanwhile: whoever sees the old
/// head skips the rest of the chunk, whoever sees the new one finds what was stored before it.
static inline void lr_publish_record(lr_writer *writer, size_t length, uint64_t head) {
  uint8_t *record = writer->cursor, *next = record + length;
  *(uint64_t *)(void *)next = lr_rest_filler((size_t)(writer->end - next));
  writer->cursor = next;
  __atomic_store_n((uint64_t *)(void *)record, head, __ATOMIC_RELEASE);
}

/// Writes a plain record, `0a 16 | 40 ts×9 | 50 s s | 5a …` (see docs/trace-format.md).
static inline void lr_put_record(lr_writer *writer, uint64_t ns, uint64_t record) {
  uint64_t *words = (uint64_t *)(void *)writer->cursor;
  uint64_t stamp = lr_spread(ns);
  words[1] = stamp >> 40 | (ns >> 56) << 24 | writer->sequence_bytes;
  words[2] = record;
  lr_publish_record(writer, LR_RECORD, UINT64_C(0x40160a) | stamp << 24);
}

#endif
