// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_initializers.h"
#include "lr_stub_count.h"
#include "lr_trace_name.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "lr_start_code.h"

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

// How it works: before the loader calls the first initialiser, it is given a DT_INIT_ARRAY with one entry for each
// image: a stub. The stub runs the image's own initialisers one by one between two time stamps. The slots themselves
// stay as they are (they may still be relocated). See the ELF gABI, "Initialization and Termination Functions".

#define LR_STUB_SIZE 16u

static const int lr_tags[LR_ENTRIES] = {DT_INIT, DT_INIT_ARRAY, DT_INIT_ARRAYSZ};

extern const char lr_initializer_stubs[];
// <link.h> declares it. A static executable has none.
#pragma weak _DYNAMIC

static void lr_nothing(int argc, char **argv, char **envp) {
  (void)argc;
  (void)argv;
  (void)envp;
}

typedef struct lr_dynamic {
  ElfW(Dyn) *entries[LR_ENTRIES];
} lr_dynamic;

static lr_dynamic lr_find_dynamic(ElfW(Dyn) *dynamic) {
  lr_dynamic found = {{NULL}};
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    for (int i = 0; i < LR_ENTRIES; i++)
      if (dynamic->d_tag == lr_tags[i]) found.entries[i] = dynamic;
  }
  return found;
}

static void *lr_stub(uint32_t number) {
  return (void *)(uintptr_t)(lr_initializer_stubs + (size_t)number * LR_STUB_SIZE);
}

/// The image's new dynamic entries: no DT_INIT, and an array of one, the stub.
static void lr_fill_entries(lr_image *image, uint32_t number) {
  image->stub = lr_stub(number);
  image->entries[LR_INIT] = (ElfW(Dyn)){.d_tag = DT_INIT, .d_un.d_ptr = (uintptr_t)lr_nothing - image->bias};
  image->entries[LR_INIT_ARRAY] =
      (ElfW(Dyn)){.d_tag = DT_INIT_ARRAY, .d_un.d_ptr = (uintptr_t)&image->stub - image->bias};
  image->entries[LR_INIT_ARRAY_SIZE] =
      (ElfW(Dyn)){.d_tag = DT_INIT_ARRAYSZ, .d_un.d_val = image->count > 0 ? sizeof image->stub : 0};
  // Without an array to hold the stub, DT_INIT points to it.
  if (image->count == 0) image->entries[LR_INIT].d_un.d_ptr = (uintptr_t)image->stub - image->bias;
}

/// Where a glibc link_map keeps pointers to the image's dynamic entries, by tag (`l_info`, include/link.h of glibc):
/// after the part that <link.h> declares. The offset is searched for in the first image and must fit every other.
static ElfW(Dyn) **lr_loader_entries(struct link_map *map, lr_dynamic dynamic) {
  enum { first = sizeof(struct link_map) / sizeof(void *), last = first + 16 };
  static int at = first;
  for (; at < last; at++) {
    ElfW(Dyn) **entries = (ElfW(Dyn) **)(void *)map + at;
    bool matches = true;
    for (int i = 0; i < LR_ENTRIES; i++) matches &= entries[lr_tags[i]] == dynamic.entries[i];
    if (matches) return entries;
  }
  return NULL;
}

/// Points the loader to our entries: a few stores, and no page of the image is written to.
static bool lr_redirect_in_loader(lr_image *image, struct link_map *map, lr_dynamic dynamic) {
  ElfW(Dyn) **entries = lr_loader_entries(map, dynamic);
  if (entries == NULL) return false;
  for (int i = 0; i < LR_ENTRIES; i++)
    if (dynamic.entries[i]) entries[lr_tags[i]] = &image->entries[i];
  return true;
}

/// Overwrites the image's own entries, which are read-only by now, and leaves them writable: they may share a page with
/// data that the image writes to.
static bool lr_redirect_in_image(lr_image *image, lr_dynamic dynamic) {
  // All or none: an image must not lose a part of its initialisers.
  for (int i = 0; i < LR_ENTRIES; i++) {
    uintptr_t start = (uintptr_t)dynamic.entries[i], end = start + sizeof(ElfW(Dyn));
    if (start && !lr_protect(start, end, PROT_READ | PROT_WRITE)) return false;
  }
  for (int i = 0; i < LR_ENTRIES; i++)
    if (dynamic.entries[i]) dynamic.entries[i]->d_un = image->entries[i].d_un;
  return true;
}

static bool lr_redirect(lr_image *image, uint32_t number, struct link_map *map) {
  lr_dynamic dynamic = lr_find_dynamic(map->l_ld);
  ElfW(Dyn) *const *entries = dynamic.entries;
  image->init = entries[LR_INIT] ? (lr_initializer)(image->bias + entries[LR_INIT]->d_un.d_ptr) : NULL;
  if (entries[LR_INIT_ARRAY] && entries[LR_INIT_ARRAY_SIZE]) {
    image->initializers = (lr_initializer *)(image->bias + entries[LR_INIT_ARRAY]->d_un.d_ptr);
    image->count = entries[LR_INIT_ARRAY_SIZE]->d_un.d_val / sizeof(lr_initializer);
  }
  if (image->init == NULL && image->count == 0) return true;
  lr_fill_entries(image, number);
  return lr_redirect_in_loader(image, map, dynamic) || lr_redirect_in_image(image, dynamic);
}

/// The executable's map; the others follow in load order. (dl_iterate_phdr(3) would read every image's headers, on
/// pages that nothing else needs.)
static struct link_map *lr_first_map(void) {
  for (ElfW(Dyn) *entry = _DYNAMIC; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr) return ((struct r_debug *)entry->d_un.d_ptr)->r_map;
  return NULL;
}

/// The path in which the launcher looks up functions. The loader may know one that is relative to the current directory.
static const char *lr_absolute_library(const char *name) {
  size_t slash = 0;
  while (name[slash] && name[slash] != '/') slash++;
  // The kernel's own library has a name without a slash.
  if (slash == 0 || name[slash] == 0) return name;
  char *path = malloc(PATH_MAX);
  bool begins_here = name[0] == '.' && name[1] == '/';
  return path && lr_absolute(path, begins_here ? name + 2 : name) == 0 ? path : name;
}

void lr_redirect_loader(const char *program) {
  struct link_map *first = lr_first_map();
  uint32_t count = 0;
  for (struct link_map *map = first; map; map = map->l_next) count++;
  uint32_t room = count < LR_STUBS ? count : LR_STUBS;
  // The program needs its heap anyway. Own memory would cost one more mapping and one more page.
  if (count > 0) lr_timed.images = malloc(room * sizeof *lr_timed.images);
  if (lr_timed.images == NULL) room = 0;
  for (struct link_map *map = first; map; map = map->l_next) {
    if (map->l_ld == NULL) continue;
    if (lr_timed.count == room) {
      lr_timed.untimed++;
      continue;
    }
    lr_image *image = &lr_timed.images[lr_timed.count];
    bool is_library = map->l_name && map->l_name[0];
    *image = (lr_image){.bias = map->l_addr, .path = is_library ? lr_absolute_library(map->l_name) : program};
    if (lr_redirect(image, lr_timed.count, map)) lr_timed.count++;
    else lr_timed.untimed++;
  }
}
#endif
#endif
