// SPDX-License-Identifier: Apache-2.0

// One thread's writer: its chunk of the trace file, its clock, and the names it has interned. Owned by its thread.
#ifndef LR_WRITER_H
#define LR_WRITER_H

#include "lr_declarations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LR_C_BEGIN

/// Bytes of a plain begin, end or instant. Every record's length is a multiple of eight bytes.
#define LR_RECORD 24
/// Bytes of the longest record with a prepared shape: one with a message (lr_signposts.c).
#define LR_LONGEST_PREPARED 136
/// The rare case stays out of the function that handles the common one, which would otherwise save registers for it.
#define LR_RARE __attribute__((noinline, cold))
#define LR_INLINE static inline __attribute__((always_inline))

/// A signposter's subsystem and category. Permanent. Its address is that of `<subsystem>/<category>`, NUL-terminated,
/// so that a probe has the text at no cost. The recorder's other facts lie before that address. Not defined here: Swift
/// adds metadata for each type whose fields it can see.
typedef struct lr_category lr_category;

/// A name that this thread's sequence has interned, with the last word of its begin record.
typedef struct lr_name {
  const char *name;
  const lr_category *category;
  uint64_t record;
  /// ns, less than 2^62. Longer work on the main thread is flagged.
  uint64_t budget;
} lr_name;

/// A track of async intervals (lr_recorder.h). A thread keeps a few for its next ones.
typedef struct lr_lane lr_lane;
#define LR_FREE_LANES 8

/// What a thread has used: CPU time in ns, and counts of getrusage(2).
typedef struct lr_costs {
  uint64_t cpu;
  int64_t minor_faults, major_faults, voluntary_switches, involuntary_switches, read_blocks;
} lr_costs;

typedef struct lr_writer {
  /// Where the next record begins. Until then a filler begins there, which covers the rest of the chunk.
  uint8_t *cursor;
  /// From here on there is no room for a record of LR_LONGEST_PREPARED bytes and the filler after it. A cursor at or
  /// after the limit means a full chunk or a forked child (this memory is wiped on fork, so both are NULL).
  uint8_t *limit;
  /// ns = clock_ns + ((ticks - clock_ticks) * clock_rate >> 32), while ticks - clock_ticks < clock_window. In this
  /// window the lower 28 bits of clock_ns are zero, so that the addition never carries.
  uint64_t clock_ticks;
  uint64_t clock_rate;
  uint64_t clock_window;
  uint64_t clock_ns;
  /// The first eight bytes of a plain record at clock_ns, and the next eight. Updated whenever clock_ns is set.
  uint64_t head;
  uint64_t tail;
  /// LR_RECORD_END. With the word before it, this is all of an end's record except its head.
  uint64_t end_record;
  lr_name *names;
  /// Picks an entry's offset in `names` from a hash: (count - 1) * sizeof(lr_name). The count is a power of two.
  uint64_t names_mask;
  /// The end of the chunk.
  uint8_t *end;
  /// LR_SPREAD_MASK if pdep is fast here, which the first calibration finds out; until then 0.
  uint64_t spread_mask;
  int32_t thread;
  uint32_t free_lane_count;
  lr_lane *free_lanes[LR_FREE_LANES];
  // The fields below are not touched on the hot path.
  struct lr_counters *counters;
  uint32_t clock_failures;
  uint32_t name_count;
  /// Where the clock's line starts, and when it must be measured again.
  uint64_t anchor_ticks;
  uint64_t anchor_ns;
  uint64_t line_end;
  uint32_t sequence;
  uint64_t track;
  uint64_t categories[2];
  /// What the thread had used at the end of its last phase, and when that was, ns.
  lr_costs costs;
  uint64_t costs_time;
  struct lr_writer *next_free;
} lr_writer;

/// 0: off. Every call reads it with one load; everything else comes after that check.
extern int lr_recording;
/// The calling thread's writer. Without one, it is lr_no_writer, which has no room, so that no call checks for NULL.
extern _Thread_local lr_writer *lr_current __attribute__((tls_model("initial-exec")));
/// Nothing writes to it. It is a variable, so that it lies on a page that a launch has touched (D266).
extern lr_writer lr_no_writer;

/// The calling thread's writer with room for a record of a fixed size, or NULL (not recording, full, forked child).
lr_writer *lr_writer_slow(void);
/// Sets the writer's clock again, by the system clock if its line has ended. Returns the same as lr_elapsed.
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

/// ns since the writer's clock_ns, less than 2^28, by the cycle counter. False if its calibration has expired.
static inline bool lr_try_elapsed(const lr_writer *writer, uint64_t *elapsed) {
  uint64_t ticks = lr_ticks() - writer->clock_ticks;
  if (__builtin_expect(ticks >= writer->clock_window, 0)) return false;
  *elapsed = ticks * writer->clock_rate >> 32;
  return true;
}

/// As lr_try_elapsed, but may move clock_ns, and always succeeds.
static inline uint64_t lr_elapsed(lr_writer *writer) {
  uint64_t elapsed;
  return __builtin_expect(lr_try_elapsed(writer, &elapsed), 1) ? elapsed : lr_clock_slow(writer);
}

/// CLOCK_MONOTONIC, ns.
static inline uint64_t lr_now(lr_writer *writer) {
  uint64_t elapsed = lr_elapsed(writer);
  return writer->clock_ns + elapsed;
}

static inline lr_writer *lr_writer_get(void) {
  lr_writer *writer = lr_current;
  if (__builtin_expect(writer->cursor >= writer->limit, 0)) return lr_writer_slow();
  return writer;
}

/// Where to look first for a name in `names`, in the bits of `names_mask`: multiplicative hashing, Knuth's TAOCP 3,
/// 6.4. The factor is that of Linux's hash_32, which fits an instruction's immediate operand.
static inline uint64_t lr_name_hash(const char *name, const lr_category *category) {
  return ((uint64_t)(uintptr_t)name + ((uint64_t)(uintptr_t)category << 3)) * 0x61C88647u >> 22;
}

/// The name's first place, where it is in most cases.
static inline const lr_name *lr_name_place(const lr_writer *writer, const char *name, const lr_category *category) {
  uint64_t offset = lr_name_hash(name, category) & writer->names_mask;
  return (const lr_name *)(const void *)((const uint8_t *)writer->names + offset);
}

static inline bool lr_name_is(const lr_name *entry, const char *name, const lr_category *category) {
  return entry->name == name && entry->category == category;
}

static inline const lr_name *lr_name_get(lr_writer *writer, const char *name, const lr_category *category) {
  const lr_name *entry = lr_name_place(writer, name, category);
  return __builtin_expect(lr_name_is(entry, name, category), 1) ? entry : lr_name_slow(writer, name, category);
}

#define LR_RECORD_END UINT64_C(0x0080808268024802)
#define LR_RECORD_BEGIN_TO_INSTANT (UINT64_C(2) << 16)

/// Spreads the low 56 bits of `value` over eight bytes of seven bits, each with the continuation bit: a padded varint.
static inline uint64_t lr_spread(uint64_t value) {
  value = (value & 0x000000000FFFFFFFu) | (value & 0x00FFFFFFF0000000u) << 4;
  value = (value & 0x00003FFF00003FFFu) | (value & 0x0FFFC0000FFFC000u) << 2;
  value = (value & 0x007F007F007F007Fu) | (value & 0x3F803F803F803F80u) << 1;
  return value | 0x8080808080808080u;
}

/// Spreads 28 bits over four bytes of seven bits, without continuation bits.
static inline uint64_t lr_spread28(uint64_t value) {
  value += (value & 0x0FFFC000u) * 3;
  return value + (value & 0x3F803F80u);
}

/// Where lr_spread28 puts its bits, three bytes further: in a record's head.
#define LR_SPREAD_MASK UINT64_C(0x7f7f7f7f000000)

/// lr_spread28 << 24, by one instruction instead of six if the processor has it (D422).
LR_INLINE uint64_t lr_spread_to_head(const lr_writer *writer, uint64_t value) {
#if defined(__x86_64__)
  uint64_t mask = writer->spread_mask, spread;
  if (__builtin_expect(mask != 0, 1)) {
    // Parallel bit deposit of BMI2 (Intel SDM 2B). The assembler knows it whatever the compiler may use. With -masm=intel, the
    // operands come the other way round.
    __asm__("pdep {%2, %1, %0|%0, %1, %2}" : "=r"(spread) : "r"(value), "r"(mask));
    return spread;
  }
#else
  (void)writer;
#endif
  return lr_spread28(value) << 24;
}

/// Spreads 14 bits over two bytes of seven bits, without the continuation bit.
static inline uint64_t lr_spread14(uint64_t value) { return value + (value & 0x3F80u); }

#define LR_CONTINUED UINT64_C(0x80)

/// The filler for the rest of a chunk, begun `length` bytes (a multiple of eight) later, with the same end. It is field
/// 15, which `Trace` does not have, a two-byte length, then any bytes. If the lower seven bits of the length borrow,
/// the borrow passes through the continuation bit to the upper bits. Otherwise the subtraction clears that bit.
static inline uint64_t lr_shorter_filler(uint64_t filler, size_t length) {
  return (filler - ((lr_spread14(length) + LR_CONTINUED) << 8)) | LR_CONTINUED << 8;
}

/// Makes the record of `length` bytes at the cursor part of the file; its bytes from the ninth on are already stored.
/// First it writes the filler for the space after the record. Then one aligned store of the record's head replaces the
/// filler that hid both.
///
/// The bytes parse at every instant, also for a reader that reads from front to back meanwhile. A reader that sees the
/// old head skips the rest of the chunk. A reader that sees the new head finds everything stored before it.
LR_INLINE void lr_publish_record(lr_writer *writer, uint8_t *cursor, size_t length, uint64_t head) {
  uint64_t *record = (uint64_t *)(void *)cursor;
  // Atomic, as below: a plain load is folded into the subtraction, whose constant then needs a register.
  uint64_t filler = __atomic_load_n(record, __ATOMIC_RELAXED);
  *(uint64_t *)(void *)(cursor + length) = lr_shorter_filler(filler, length);
  writer->cursor = cursor + length;
  __atomic_store_n(record, head, __ATOMIC_RELEASE);
}

/// The first eight bytes of a plain record `elapsed` ns after clock_ns: `0a 16 40` and the lower five bytes of the
/// time.
static inline uint64_t lr_record_head(const lr_writer *writer, uint64_t elapsed) {
  return writer->head + lr_spread_to_head(writer, elapsed);
}

/// As lr_record_head, for a packet that is `more` bytes longer.
static inline uint64_t lr_longer_head(const lr_writer *writer, uint64_t elapsed, uint64_t more) {
  return lr_record_head(writer, elapsed) + (more << 8);
}

/// Writes a plain record, `0a 16 | 40 ts×9 | 50 s s | 5a …` (docs/trace-format.md), at the writer's cursor. `elapsed`
/// counts from the current clock_ns.
LR_INLINE void lr_put_record(lr_writer *writer, uint8_t *cursor, uint64_t elapsed, uint64_t record) {
  uint64_t *words = (uint64_t *)(void *)cursor;
  words[1] = writer->tail;
  words[2] = record;
  lr_publish_record(writer, cursor, LR_RECORD, lr_record_head(writer, elapsed));
}

/// As lr_put_record, for LR_RECORD_END.
LR_INLINE void lr_put_end_record(lr_writer *writer, uint8_t *cursor, uint64_t elapsed) {
  __builtin_memcpy(cursor + 8, &writer->tail, 16);
  lr_publish_record(writer, cursor, LR_RECORD, lr_record_head(writer, elapsed));
}

LR_C_END

#endif
