// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_stacks.h"

#include "CLaunchRecorder.h"

#include <string.h>
#include <sys/mman.h>

#define LR_FRAMES_LOG2 14
#define LR_STACKS_LOG2 13

/// An entry of an open hash table; id 0: free.
typedef struct lr_entry {
  uint64_t key;
  uint32_t id;
} lr_entry;

typedef struct lr_stack_tables {
  /// Hashed by address. When images changed, the table is emptied and ids continue.
  lr_entry frames[1u << LR_FRAMES_LOG2];
  /// Keyed by a 64-bit hash of the frames' ids. Two stacks with the same hash are too unlikely to check for.
  lr_entry stacks[1u << LR_STACKS_LOG2];
} lr_stack_tables;

static struct {
  lr_stack_tables *tables;
  uint32_t frame_count, next_frame, next_stack, next_image;
  uint64_t images_version;
  /// Ids by `lr_image_index`; 0: not written.
  uint32_t images[LR_MOST_IMAGES];
} lr_known;

bool lr_stacks_start(void) {
  // Another try, after the sampler could not start.
  if (lr_known.tables) return true;
  void *memory = mmap(NULL, sizeof *lr_known.tables, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  lr_known.tables = memory;
  return true;
}

static uint64_t lr_mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

static lr_entry *lr_find(lr_entry *entries, uint32_t size_log2, uint64_t key) {
  uint32_t mask = (UINT32_C(1) << size_log2) - 1;
  for (uint32_t at = (uint32_t)lr_mix(key) & mask;; at = (at + 1) & mask) {
    if (entries[at].id == 0 || entries[at].key == key) return &entries[at];
  }
}

/// An address may belong to another image now.
static void lr_forget_images(void) {
  memset(lr_known.tables->frames, 0, sizeof lr_known.tables->frames);
  memset(lr_known.images, 0, sizeof lr_known.images);
  lr_known.frame_count = 0;
}

/// The id of the image, 0 if it could not be written.
static uint32_t lr_image_id(const lr_image *image) {
  uint32_t *id = &lr_known.images[lr_image_index(image)];
  if (*id) return *id;
  if (!lr_write_image(lr_known.next_image + 1, image->path, image->build_id, image->build_id_size)) return 0;
  return *id = ++lr_known.next_image;
}

/// The id of the frame at an address, 0 if there is no room for it.
static uint32_t lr_frame_id(uint64_t address) {
  lr_entry *entry = lr_find(lr_known.tables->frames, LR_FRAMES_LOG2, address);
  if (entry->id) return entry->id;
  if (lr_known.frame_count * 4 >= 3u << LR_FRAMES_LOG2) return 0;
  const lr_image *image = lr_image_at(address);
  uint32_t image_id = image ? lr_image_id(image) : 0;
  if (image && image_id == 0) return 0;
  if (!lr_write_frame(lr_known.next_frame + 1, image_id, image ? address - image->bias : address)) return 0;
  *entry = (lr_entry){address, ++lr_known.next_frame};
  lr_known.frame_count++;
  return entry->id;
}

/// The id of a stack, 0 if there is no room for it.
static uint32_t lr_stack_id(const lr_stack *stack) {
  uint32_t frames[LR_DEEPEST];
  uint64_t hash = stack->count;
  for (uint32_t i = 0; i < stack->count; i++) {
    // The outermost frame first. A caller's address must lie within the call.
    uint64_t address = stack->addresses[stack->count - 1 - i] - (i + 1 < stack->count);
    frames[i] = lr_frame_id(address);
    if (frames[i] == 0) return 0;
    hash = lr_mix(hash ^ frames[i]);
  }
  lr_entry *entry = lr_find(lr_known.tables->stacks, LR_STACKS_LOG2, hash);
  if (entry->id) return entry->id;
  if (lr_known.next_stack * 4 >= 3u << LR_STACKS_LOG2) return 0;
  if (!lr_write_stack(lr_known.next_stack + 1, frames, stack->count)) return 0;
  *entry = (lr_entry){hash, ++lr_known.next_stack};
  return entry->id;
}

bool lr_stacks_write(const lr_snapshot *snapshot, const lr_stack *stack) {
  uint64_t version = lr_images_refresh();
  if (version != lr_known.images_version) lr_forget_images();
  lr_known.images_version = version;
  uint32_t id = lr_stack_id(stack);
  return id != 0 && lr_write_sample(snapshot->time, snapshot->thread, id);
}
#endif
