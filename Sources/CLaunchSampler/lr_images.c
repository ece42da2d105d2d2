// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define _GNU_SOURCE
#include "lr_snapshot.h"

#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct {
  uint64_t version, added, removed;
  uint32_t count, latest;
  lr_image images[LR_MOST_IMAGES];
  size_t names_size;
  char names[96 << 10];
} lr_images;

// glibc's fork(3) leaves the loader's lock for the list as it is: a child could wait for ever for the watchdog, which it
// does not have. So forks wait until the watchdog has left the list.
static pthread_mutex_t lr_walk = PTHREAD_MUTEX_INITIALIZER;
static void lr_walk_begins(void) { pthread_mutex_lock(&lr_walk); }
static void lr_walk_ends(void) { pthread_mutex_unlock(&lr_walk); }

static void lr_walk_images(int (*visit)(struct dl_phdr_info *info, size_t size, void *context), void *context) {
  lr_walk_begins();
  dl_iterate_phdr(visit, context);
  lr_walk_ends();
}

bool lr_images_start(void) {
  static bool is_started;
  if (!is_started) is_started = pthread_atfork(lr_walk_begins, lr_walk_ends, lr_walk_ends) == 0;
  return is_started;
}

static const char *lr_keep_name(const char *name) {
  char self[4096];
  if (*name == 0) {
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    name = self;
  }
  size_t size = strlen(name) + 1;
  if (size > sizeof lr_images.names - lr_images.names_size) return "";
  char *kept = lr_images.names + lr_images.names_size;
  memcpy(kept, name, size);
  lr_images.names_size += size;
  return kept;
}

static void lr_keep_build_id(lr_image *image, const uint8_t *notes, size_t size) {
  size_t length = 0;
  const uint8_t *bytes = lr_find_build_id(notes, size, &length);
  if (bytes == NULL) return;
  image->build_id_size = (uint8_t)length;
  memcpy(image->build_id, bytes, length);
}

static void lr_read_segments(lr_image *image, const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME) image->unwind_header = start;
    if (segment->p_type == PT_NOTE && image->build_id_size == 0 && lr_is_loaded(info, i))
      lr_keep_build_id(image, (const uint8_t *)start, segment->p_filesz);
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R)) continue;
    if (start < image->start) image->start = start;
    if (end > image->end) image->end = end;
    if (image->segment_count == 8) continue;
    image->segments[image->segment_count].start = start;
    image->segments[image->segment_count++].end = end;
  }
}

static int lr_collect(struct dl_phdr_info *info, size_t size, void *is_first) {
  (void)size;
  if (*(bool *)is_first) {
    if (lr_images.version && info->dlpi_adds == lr_images.added && info->dlpi_subs == lr_images.removed) return 1;
    lr_images.version++;
    lr_images.added = info->dlpi_adds;
    lr_images.removed = info->dlpi_subs;
    lr_images.count = lr_images.latest = 0;
    lr_images.names_size = 0;
    *(bool *)is_first = false;
  }
  if (lr_images.count == LR_MOST_IMAGES) return 1;
  lr_image *image = &lr_images.images[lr_images.count];
  *image = (lr_image){.bias = info->dlpi_addr, .start = UINT64_MAX};
  lr_read_segments(image, info);
  if (image->start >= image->end) return 0;
  image->path = lr_keep_name(info->dlpi_name);
  lr_images.count++;
  return 0;
}

uint64_t lr_images_refresh(void) {
  bool is_first = true;
  lr_walk_images(lr_collect, &is_first);
  return lr_images.version;
}

const lr_image *lr_image_at(uint64_t address) {
  for (uint32_t i = 0; i < lr_images.count; i++) {
    // Most addresses are in the same image as the previous one.
    uint32_t index = i == 0 ? lr_images.latest : i - (i <= lr_images.latest);
    const lr_image *image = &lr_images.images[index];
    if (address < image->start || address >= image->end) continue;
    lr_images.latest = index;
    return image;
  }
  return NULL;
}

bool lr_image_has(uint64_t address, size_t size) {
  const lr_image *image = lr_image_at(address);
  for (uint32_t i = 0; image && i < image->segment_count; i++) {
    if (address >= image->segments[i].start && address + size <= image->segments[i].end) return true;
  }
  return false;
}

uint32_t lr_image_index(const lr_image *image) { return (uint32_t)(image - lr_images.images); }

typedef struct lr_hold {
  void (*body)(void *context);
  void *context;
  bool is_done;
} lr_hold;

static int lr_held(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  lr_hold *hold = context;
  if (info->dlpi_adds != lr_images.added || info->dlpi_subs != lr_images.removed) return 1;
  hold->body(hold->context);
  hold->is_done = true;
  return 1;
}

bool lr_images_hold(void (*body)(void *context), void *context) {
  lr_hold hold = {body, context, false};
  lr_walk_images(lr_held, &hold);
  return hold.is_done;
}
#endif
