#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)

// How it works: before the loader calls the first initialiser, it is made to find a DT_INIT_ARRAY of one entry for each
// image, a stub, that runs the image's own initialisers one by one between two time stamps. The slots themselves are left
// as they are (they may still be relocated). See the ELF gABI, "Initialization and Termination Functions".

#define LR_MOST_IMAGES 512u
#define LR_STUB_SIZE 16u
#define LR_LONGEST_IMAGE_NAME 400u

typedef void (*lr_initializer)(int, char **, char **);

/// The dynamic entries that say what an image's initialisers are.
typedef enum lr_entry { LR_INIT, LR_INIT_ARRAY, LR_INIT_ARRAY_SIZE, LR_ENTRIES } lr_entry;
static const int lr_tags[LR_ENTRIES] = {DT_INIT, DT_INIT_ARRAY, DT_INIT_ARRAYSZ};

typedef struct lr_image {
  const char *path;
  /// The last part of the path, once the trace knows the image.
  const char *name;
  size_t name_length;
  bool is_introduced;
  uintptr_t bias;
  lr_initializer init;
  lr_initializer *initializers;
  size_t count;
  /// What the loader is given in place of the image's own entries, and what their array points at.
  ElfW(Dyn) entries[LR_ENTRIES];
  void *stub;
} lr_image;

extern const char lr_initializer_stubs[];
// <link.h> declares it; a static executable has none.
#pragma weak _DYNAMIC
// Made by the linker around the executable's own.
extern lr_initializer __init_array_start[] __attribute__((weak, visibility("hidden")));
extern lr_initializer __init_array_end[] __attribute__((weak, visibility("hidden")));

/// As many as the loader has mapped, or LR_MOST_IMAGES.
static lr_image *lr_images;
static uint32_t lr_image_count;
/// What the events of all images have in common is in the trace.
static bool lr_has_introduced;
static uint32_t lr_untimed;
static const char *lr_program_path = "";

// Interning ids on the thread's sequence; a signposter's categories have those below.
enum { LR_CATEGORY = 128, LR_NAME_OF_IMAGE = 1, LR_NAME_OF_OFFSET = 2 };
static uint64_t lr_image_iid(const lr_image *image) { return (uint64_t)(image - lr_images) + 1; }

// MARK: Running them

/// `<image> init` or `<image> initializer <number>`.
static size_t lr_initializer_name(char *name, const lr_image *image, int number) {
  memcpy(name, image->name, image->name_length);
  const char *kind = number < 0 ? " init" : " initializer ";
  size_t kind_length = number < 0 ? sizeof " init" - 1 : sizeof " initializer " - 1;
  memcpy(name + image->name_length, kind, kind_length);
  size_t length = image->name_length + kind_length;
  return number < 0 ? length : length + lr_decimal(name + length, (uint64_t)number);
}

/// What the events of an image's initialisers have in common is said once, on the sequence of the thread that runs them all.
/// False when there is no room for it.
static bool lr_introduce(lr_image *image, lr_writer *writer) {
  if (image->is_introduced) return true;
  lr_packet packet;
  size_t length = lr_length(image->path, 4096);
  if (!lr_packet_open(&packet, writer, 160 + length)) return false;
  lr_put_varint(&packet, LR_PACKET_SEQUENCE_FLAGS, 2);
  uint32_t interned = lr_message_open(&packet, LR_PACKET_INTERNED_DATA);
  if (!lr_has_introduced) {
    lr_intern(&packet, LR_INTERNED_CATEGORY, LR_CATEGORY, LR_LITERAL("launchprof.initializer"));
    lr_intern(&packet, LR_INTERNED_ANNOTATION_NAME, LR_NAME_OF_IMAGE, LR_LITERAL("image"));
    lr_intern(&packet, LR_INTERNED_ANNOTATION_NAME, LR_NAME_OF_OFFSET, LR_LITERAL("offset"));
    lr_has_introduced = true;
  }
  lr_intern(&packet, LR_INTERNED_ANNOTATION_STRING, lr_image_iid(image), image->path, length);
  lr_message_close(&packet, interned);
  lr_packet_close(&packet);
  image->name = lr_base_name(image->path);
  image->name_length = lr_length(image->name, LR_LONGEST_IMAGE_NAME);
  return image->is_introduced = true;
}

static void lr_annotate_with(lr_packet *packet, uint64_t name, uint32_t field, uint64_t value) {
  uint32_t annotation = lr_message_open(packet, LR_EVENT_ANNOTATION);
  lr_put_varint(packet, LR_ANNOTATION_NAME_IID, name);
  lr_put_varint(packet, field, value);
  lr_message_close(packet, annotation);
}

static bool lr_write_initializer(lr_image *image, lr_initializer initializer, int number) {
  lr_writer *writer = lr_writer_get();
  if (writer == NULL || !lr_introduce(image, writer)) return false;
  char name[LR_LONGEST_IMAGE_NAME + 40];
  size_t length = lr_initializer_name(name, image, number);
  lr_packet packet;
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_BEGIN, 0, 64 + length)) return false;
  lr_put_varint(&packet, LR_EVENT_CATEGORY_IIDS, LR_CATEGORY);
  lr_put_foreign_string(&packet, LR_EVENT_NAME, name, length);
  lr_annotate_with(&packet, LR_NAME_OF_IMAGE, LR_ANNOTATION_STRING_IID, lr_image_iid(image));
  lr_annotate_with(&packet, LR_NAME_OF_OFFSET, LR_ANNOTATION_POINTER, (uintptr_t)initializer - image->bias);
  lr_event_close(&packet);
  return true;
}

static void lr_run_one(lr_image *image, lr_initializer initializer, int number, int argc, char **argv, char **envp) {
  bool is_written = lr_write_initializer(image, initializer, number);
  initializer(argc, argv, envp);
  lr_writer *writer = is_written ? lr_writer_get() : NULL;
  // An end with nothing but its time: the record of a scoped interval's.
  if (writer) lr_put_record(writer, lr_now(writer), LR_RECORD_END);
}

/// Called by the stubs.
__attribute__((used, visibility("hidden"))) void lr_run_initializers(int argc, char **argv, char **envp,
                                                                     uint32_t number) {
  lr_image *image = &lr_images[number];
  if (image->init) lr_run_one(image, image->init, -1, argc, argv, envp);
  for (size_t i = 0; i < image->count; i++) lr_run_one(image, image->initializers[i], (int)i, argc, argv, envp);
  // The executable's run last of all, and then `main`.
  if (image->path == lr_program_path) lr_main_is_next();
}

static void lr_nothing(int argc, char **argv, char **envp) {
  (void)argc;
  (void)argv;
  (void)envp;
}

// MARK: Redirecting them

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

/// Makes the pages of [start, end) writable, or read-only again.
static bool lr_protect(uintptr_t start, uintptr_t end, int protection) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = start & ~(page - 1);
  return mprotect((void *)from, end - from, protection) == 0;
}

/// What the image's dynamic section should say: no DT_INIT, and an array of one, the stub.
static void lr_fill_entries(lr_image *image, uint32_t number) {
  image->stub = lr_stub(number);
  image->entries[LR_INIT] = (ElfW(Dyn)){.d_tag = DT_INIT, .d_un.d_ptr = (uintptr_t)lr_nothing - image->bias};
  image->entries[LR_INIT_ARRAY] =
      (ElfW(Dyn)){.d_tag = DT_INIT_ARRAY, .d_un.d_ptr = (uintptr_t)&image->stub - image->bias};
  image->entries[LR_INIT_ARRAY_SIZE] = (ElfW(Dyn)){.d_tag = DT_INIT_ARRAYSZ, .d_un.d_val = sizeof image->stub};
  // With no array to name the stub, DT_INIT does.
  if (image->count == 0) image->entries[LR_INIT].d_un.d_ptr = (uintptr_t)image->stub - image->bias;
}

#if defined(__GLIBC__)
/// Where a link_map of glibc keeps pointers to the image's dynamic entries, by tag (`l_info`, include/link.h of glibc): behind
/// the part that <link.h> shows, at a place that is looked for in the first image and must hold for every other.
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

/// Gives the loader entries of ours: a few stores, and no page of the image is written to.
static bool lr_redirect_in_loader(lr_image *image, struct link_map *map, lr_dynamic dynamic) {
  ElfW(Dyn) **entries = lr_loader_entries(map, dynamic);
  if (entries == NULL) return false;
  for (int i = 0; i < LR_ENTRIES; i++)
    if (dynamic.entries[i]) entries[lr_tags[i]] = &image->entries[i];
  return true;
}
#else
static bool lr_redirect_in_loader(lr_image *image, struct link_map *map, lr_dynamic dynamic) {
  (void)image;
  (void)map;
  (void)dynamic;
  return false;
}
#endif

/// Overwrites the image's own entries, which are read-only by now, and leaves them writable: they may share their page with
/// what the image writes to.
static bool lr_redirect_in_image(lr_image *image, lr_dynamic dynamic) {
  for (int i = 0; i < LR_ENTRIES; i++) {
    ElfW(Dyn) *entry = dynamic.entries[i];
    if (entry == NULL) continue;
    uintptr_t start = (uintptr_t)entry, end = start + sizeof *entry;
    if (!lr_protect(start, end, PROT_READ | PROT_WRITE)) return false;
    entry->d_un = image->entries[i].d_un;
  }
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

/// The executable's; the others follow in the order in which they came. (dl_iterate_phdr(3) would read every image's headers, on
/// pages that nobody needs otherwise.)
static struct link_map *lr_first_map(void) {
  for (ElfW(Dyn) *entry = _DYNAMIC; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr) return ((struct r_debug *)entry->d_un.d_ptr)->r_map;
  return NULL;
}

static void lr_redirect_images(void) {
  struct link_map *first = lr_first_map();
  uint32_t count = 0;
  for (struct link_map *map = first; map; map = map->l_next) count++;
  uint32_t room = count < LR_MOST_IMAGES ? count : LR_MOST_IMAGES;
  // The program needs its heap anyway; memory of our own would be one mapping and one page more.
  if (count > 0) lr_images = malloc(room * sizeof *lr_images);
  if (lr_images == NULL) room = 0;
  for (struct link_map *map = first; map; map = map->l_next) {
    if (map->l_ld == NULL) continue;
    if (lr_image_count == room) {
      lr_untimed++;
      continue;
    }
    lr_image *image = &lr_images[lr_image_count];
    *image = (lr_image){.bias = map->l_addr, .path = map->l_name && map->l_name[0] ? map->l_name : lr_program_path};
    if (lr_redirect(image, lr_image_count, map)) lr_image_count++;
    else lr_untimed++;
  }
}

// MARK: Static executables

/// Stands in every slot of the executable's array, which the start-up code walks in order.
static void lr_run_next_static(int argc, char **argv, char **envp) {
  static size_t next;
  lr_image *image = &lr_images[0];
  size_t number = next++;
  lr_run_one(image, image->initializers[number], (int)number, argc, argv, envp);
  if (number + 1 == image->count) lr_main_is_next();
}

/// There is no dynamic section to redirect: the slots are copied and overwritten.
static void lr_redirect_static(void) {
  uintptr_t start = (uintptr_t)__init_array_start, end = (uintptr_t)__init_array_end;
  size_t count = (end - start) / sizeof(lr_initializer);
  if (count == 0) return;
  lr_initializer *copy = malloc(count * sizeof *copy);
  lr_images = malloc(sizeof *lr_images);
  if (copy == NULL || lr_images == NULL || !lr_protect(start, end, PROT_READ | PROT_WRITE)) {
    lr_untimed += (uint32_t)count;
    return;
  }
  memcpy(copy, __init_array_start, count * sizeof *copy);
  lr_images[0] = (lr_image){.path = lr_program_path, .initializers = copy, .count = count};
  lr_image_count = 1;
  for (size_t i = 0; i < count; i++) __init_array_start[i] = lr_run_next_static;
  lr_protect(start, end, PROT_READ);
}

uint32_t lr_initializers_time(const char *program_path, bool is_static) {
  lr_program_path = program_path;
  if (is_static) lr_redirect_static();
  else lr_redirect_images();
  return lr_untimed;
}

bool lr_program_is_timed(void) {
  for (uint32_t i = 0; i < lr_image_count; i++)
    if (lr_images[i].path == lr_program_path) return true;
  return false;
}

#else
bool lr_program_is_timed(void) { return false; }
uint32_t lr_initializers_time(const char *program_path, bool is_static) {
  (void)program_path;
  (void)is_static;
  return 0;
}
#endif
#endif
