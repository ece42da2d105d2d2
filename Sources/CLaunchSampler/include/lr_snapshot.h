// SPDX-License-Identifier: Apache-2.0

// A copy of a thread's registers and stack, and its unwinding.
#ifndef LR_SNAPSHOT_H
#define LR_SNAPSHOT_H

#include "lr_declarations.h"
#include "lr_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LR_C_BEGIN

#if defined(__x86_64__)
#define LR_REGISTERS 17
#elif defined(__aarch64__)
#define LR_REGISTERS 33
#endif

#define LR_MOST_IMAGES 1024u
/// The most bytes of a stack that are copied. Frames further out are missed.
#define LR_STACK_BYTES (128u << 10)
#define LR_DEEPEST 256u

typedef struct lr_snapshot {
  /// CLOCK_MONOTONIC, ns.
  uint64_t time;
  int32_t thread;
  uint64_t pc, stack_pointer;
  /// In libunwind's order.
  uint64_t registers[LR_REGISTERS];
  /// The address where the copy begins, a little below the stack pointer, and the copied bytes.
  uint64_t stack_start;
  size_t size;
  uint64_t stack[LR_STACK_BYTES / 8];
} lr_snapshot;

/// Copies the registers and the stack that a signal interrupted; `context` is the third argument of its handler.
/// Async-signal-safe.
void lr_snapshot_take(lr_snapshot *snapshot, const void *context);
/// The word at an address of the snapshot's stack. False outside of the stack.
bool lr_snapshot_read(const lr_snapshot *snapshot, uint64_t address, uint64_t *value);

/// An executable or shared library in memory.
typedef struct lr_image {
  uint64_t bias, start, end;
  /// Its readable segments.
  struct {
    uint64_t start, end;
  } segments[8];
  uint32_t segment_count;
  uint8_t build_id_size;
  uint8_t build_id[LR_LONGEST_BUILD_ID];
  /// Address of `.eh_frame_hdr`, 0 if it has none.
  uint64_t unwind_header;
  /// NUL-terminated; "" where the table of names was full.
  const char *path;
} lr_image;

/// To be called before the other functions, by one thread at a time. False without memory.
bool lr_images_start(void);
/// Updates the list of images. Returns a number that changes when an image was loaded or unloaded.
uint64_t lr_images_refresh(void);
/// The image with code or data at an address; NULL for none. Valid until the next refresh.
const lr_image *lr_image_at(uint64_t address);
/// True if the bytes at an address belong to an image and can be read.
bool lr_image_has(uint64_t address, size_t size);
/// Less than LR_MOST_IMAGES.
uint32_t lr_image_index(const lr_image *image);
/// Calls `body` while no image can be loaded or unloaded. Returns false, without the call, if the list is out of date.
bool lr_images_hold(void (*body)(void *context), void *context);

typedef enum lr_unwinding {
  /// By frame pointers where the unwind tables confirm them, otherwise by the tables.
  LR_FRAME_POINTERS_FIRST,
  /// By libunwind alone.
  LR_LIBUNWIND,
} lr_unwinding;

typedef struct lr_stack {
  /// The program counter, then return addresses: the innermost first.
  uint64_t addresses[LR_DEEPEST];
  uint32_t count;
} lr_stack;

/// Fills `stack`. Not async-signal-safe; one thread at a time. Holds the loader's lock while libunwind reads.
void lr_unwind(const lr_snapshot *snapshot, lr_unwinding unwinding, lr_stack *stack);

LR_C_END

#endif
