// SPDX-License-Identifier: Apache-2.0

#ifndef LR_INITIALIZERS_H
#define LR_INITIALIZERS_H

#include "lr_recorder.h"

#include <link.h>

#pragma GCC visibility push(hidden)

typedef void (*lr_initializer)(int, char **, char **);

/// The dynamic entries that describe an image's initialisers.
typedef enum lr_entry { LR_INIT, LR_INIT_ARRAY, LR_INIT_ARRAY_SIZE, LR_ENTRIES } lr_entry;

typedef struct lr_image {
  const char *path;
  /// The last part of the path, once the trace knows the image.
  const char *name;
  size_t name_length;
  bool is_name_utf8;
  bool is_introduced;
  uintptr_t bias;
  lr_initializer init;
  lr_initializer *initializers;
  size_t count;
  /// Given to the loader in place of the image's own entries, and the address that their array points at.
  ElfW(Dyn) entries[LR_ENTRIES];
  void *stub;
} lr_image;

/// The images whose initialisers are timed.
typedef struct lr_timed_images {
  lr_image *images;
  uint32_t count;
  /// How many are not timed: images, and initialisers of an executable's array.
  uint32_t untimed;
} lr_timed_images;

extern lr_timed_images lr_timed;

/// Makes the pages of [start, end) writable, or read-only again.
bool lr_protect(uintptr_t start, uintptr_t end, int protection);

/// Has glibc's loader call a stub for each image in place of its initialisers. Must run before the first of them.
///
/// - program: the executable's path.
void lr_redirect_loader(const char *program);

#pragma GCC visibility pop

#endif
