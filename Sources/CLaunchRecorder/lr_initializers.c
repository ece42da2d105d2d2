// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_facts.h"
#include "lr_initializers.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "lr_start_code.h"

#if defined(__x86_64__) || defined(__aarch64__)

#define LR_LONGEST_IMAGE_NAME 400u

lr_timed_images lr_timed;
/// True once the trace has what the events of all images share.
static bool lr_has_introduced;
static const char *lr_program_path = "";
/// The executable's own initialisers run, timed. The loader does not run those of a program that was linked with a glibc
/// before 2.34: its start code does.
static bool lr_runs_program;

// Interning ids on the thread's sequence. Categories of signposters have the ids below LR_CATEGORY.
enum { LR_CATEGORY = 128, LR_NAME_OF_IMAGE = 1, LR_NAME_OF_OFFSET = 2 };
static uint64_t lr_image_iid(const lr_image *image) { return (uint64_t)(image - lr_timed.images) + 1; }

// MARK: Running them

/// `<image> init` or `<image> initializer <number>`.
static size_t lr_initializer_name(char *name, const lr_image *image, int number) {
  static const char init[] = " init", initializer[] = " initializer ";
  size_t length = image->name_length;
  lr_copy_bytes((uint8_t *)name, image->name, length);
  if (number < 0) {
    memcpy(name + length, init, sizeof init - 1);
    return length + sizeof init - 1;
  }
  memcpy(name + length, initializer, sizeof initializer - 1);
  length += sizeof initializer - 1;
  return length + lr_decimal(name + length, (uint64_t)number);
}

/// Writes once what the events of an image's initialisers share, on the sequence of the thread that runs them all.
/// False if there is no room.
static bool lr_introduce(lr_image *image, lr_writer *writer) {
  if (image->is_introduced) return true;
  lr_packet packet;
  size_t length = lr_length(image->path, 4096);
  if (!lr_interning_open(&packet, writer, 160 + length)) return false;
  if (!lr_has_introduced) {
    lr_intern(&packet, LR_INTERNED_CATEGORY, LR_CATEGORY, LR_LITERAL(LS_CATEGORY_INITIALIZER));
    lr_intern(&packet, LR_INTERNED_ANNOTATION_NAME, LR_NAME_OF_IMAGE, LR_LITERAL(LS_KEY_IMAGE));
    lr_intern(&packet, LR_INTERNED_ANNOTATION_NAME, LR_NAME_OF_OFFSET, LR_LITERAL(LS_KEY_OFFSET));
    lr_has_introduced = true;
  }
  lr_intern(&packet, LR_INTERNED_ANNOTATION_STRING, lr_image_iid(image), image->path, length);
  lr_interning_close(&packet);
  image->name = lr_base_name(image->path);
  image->name_length = lr_length(image->name, LR_LONGEST_IMAGE_NAME);
  image->is_name_utf8 = lr_is_utf8(image->name, image->name_length);
  return image->is_introduced = true;
}

/// The category and the image: `18 c c 22 06 08 n 88 01 i i`.
static uint8_t *lr_store_image(uint8_t *at, const lr_image *image) {
  static const uint8_t fields[] = {LR_EVENT_CATEGORY_IIDS << 3, 0x80, LR_CATEGORY >> 7, LR_EVENT_ANNOTATION << 3 | 2, 6,
                                   LR_ANNOTATION_NAME_IID << 3, LR_NAME_OF_IMAGE, 0x80 | (LR_ANNOTATION_STRING_IID << 3 & 0x7f), 1};
  memcpy(at, fields, sizeof fields);
  return lr_store_length(at + sizeof fields, lr_image_iid(image));
}

/// `ba 01 l l` and the name.
static uint8_t *lr_store_initializer_name(uint8_t *at, const lr_image *image, int number) {
  at[0] = 0x80 | ((LR_EVENT_NAME << 3 | 2) & 0x7f);
  at[1] = LR_EVENT_NAME >> 4;
  uint8_t *name = at + 4;
  size_t length = lr_initializer_name((char *)name, image, number);
  if (!image->is_name_utf8) lr_make_utf8(name, length);
  lr_store_length(at + 2, length);
  return name + length;
}

/// `22 0c 08 n 38 value×9`.
static uint8_t *lr_store_offset(uint8_t *at, uint64_t offset) {
  static const uint8_t fields[] = {LR_EVENT_ANNOTATION << 3 | 2, 12, LR_ANNOTATION_NAME_IID << 3, LR_NAME_OF_OFFSET, LR_ANNOTATION_POINTER << 3};
  memcpy(at, fields, sizeof fields);
  return lr_store_padded(at + sizeof fields, offset);
}

/// A static program has dozens of initialisers. So their events are stored field by field, in a quarter of the time that
/// the functions for any field take.
static bool lr_write_initializer(lr_image *image, lr_initializer initializer, int number) {
  lr_writer *writer = lr_writer_get();
  // Once for each image, so that its functions can be named later. A launcher writes it for each file that is mapped.
  bool needs_build_id = !image->is_introduced && !lr_start_of_process.from_launcher;
  if (writer == NULL || !lr_introduce(image, writer)) return false;
  char build_id[2 * LR_LONGEST_BUILD_ID + 1];
  size_t length = needs_build_id ? lr_build_id_at(image->bias, build_id) : 0;
  lr_packet packet;
  size_t bound = 96 + image->name_length + (length > 0 ? LR_ANNOTATION + length : 0);
  if (!lr_event_open(&packet, writer, lr_now(writer), LR_BEGIN, 0, bound)) return false;
  uint8_t *at = lr_store_image(packet.at, image);
  at = lr_store_initializer_name(at, image, number);
  packet.at = lr_store_offset(at, (uintptr_t)initializer - image->bias);
  if (length > 0) lr_annotate_string(&packet, LR_LITERAL(LS_KEY_BUILD_ID), build_id, length);
  lr_event_close(&packet);
  return true;
}

static void lr_run_one(lr_image *image, lr_initializer initializer, int number, int argc, char **argv, char **envp) {
  bool is_written = lr_write_initializer(image, initializer, number);
  initializer(argc, argv, envp);
  lr_writer *writer = is_written ? lr_writer_get() : NULL;
  // An end with only its time: the same record as for a scoped interval.
  if (writer) lr_put_end_record(writer, writer->cursor, lr_elapsed(writer));
}

/// Called by the stubs.
__attribute__((used, visibility("hidden"))) void lr_run_initializers(int argc, char **argv, char **envp,
                                                                     uint32_t number) {
  lr_image *image = &lr_timed.images[number];
  lr_runs_program = image->path == lr_program_path;
  if (image->init) lr_run_one(image, image->init, -1, argc, argv, envp);
  for (size_t i = 0; i < image->count; i++) lr_run_one(image, image->initializers[i], (int)i, argc, argv, envp);
  // The executable's initialisers run last of all, and then `main`.
  if (lr_runs_program) lr_main_is_next();
}

bool lr_protect(uintptr_t start, uintptr_t end, int protection) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = start & ~(page - 1);
  return mprotect((void *)from, end - from, protection) == 0;
}

// MARK: The executable's array

// Without a loader, the executable's slots are overwritten. Also with musl's, which has already run the libraries'.

// The linker defines both, around the executable's own initialisers.
extern lr_initializer __init_array_start[] __attribute__((weak, visibility("hidden")));
extern lr_initializer __init_array_end[] __attribute__((weak, visibility("hidden")));
extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

/// The slot that runs next.
static size_t lr_next;

/// Stored in the slots, which the start-up code walks in order.
static void lr_run_next(int argc, char **argv, char **envp) {
  lr_image *image = &lr_timed.images[0];
  size_t number = lr_next++;
  lr_runs_program = true;
  lr_run_one(image, image->initializers[number], (int)number, argc, argv, envp);
  if (number + 1 == image->count) lr_main_is_next();
}

/// The first slot that has not run.
static size_t lr_first_slot(size_t count) {
#if defined(LR_STARTS_AS_INITIALIZER)
  for (size_t i = 0; i < count; i++)
    if (__init_array_start[i] == (lr_initializer)lr_first_initializer) return i + 1;
  return count;
#else
  (void)count;
  return 0;
#endif
}

/// The executable's load address minus the address in its file.
static uintptr_t lr_executable_bias(void) {
  return &__ehdr_start && __ehdr_start.e_type == ET_DYN ? (uintptr_t)&__ehdr_start : 0;
}

/// The end of the pages that are read-only after relocation, rounded as glibc does it (_dl_protect_relro). 0 if the program is
/// linked without RELRO: then the array may share its page with data that the program writes to.
static uintptr_t lr_read_only_end(void) {
  if (!&__ehdr_start) return 0;
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)((uintptr_t)&__ehdr_start + __ehdr_start.e_phoff);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < __ehdr_start.e_phnum; i++)
    if (headers[i].p_type == PT_GNU_RELRO)
      return (lr_executable_bias() + headers[i].p_vaddr + headers[i].p_memsz) & ~(page - 1);
  return 0;
}

static void lr_redirect_array(void) {
  uintptr_t start = (uintptr_t)__init_array_start, end = (uintptr_t)__init_array_end;
  size_t count = (end - start) / sizeof(lr_initializer);
  lr_next = lr_first_slot(count);
  if (lr_next == count) return;
  lr_initializer *copy = malloc(count * sizeof *copy);
  lr_timed.images = malloc(sizeof *lr_timed.images);
  if (copy == NULL || lr_timed.images == NULL || !lr_protect(start, end, PROT_READ | PROT_WRITE)) {
    lr_timed.untimed += (uint32_t)(count - lr_next);
    return;
  }
  memcpy(copy, __init_array_start, count * sizeof *copy);
  lr_timed.images[0] =
      (lr_image){.path = lr_program_path, .bias = lr_executable_bias(), .initializers = copy, .count = count};
  lr_timed.count = 1;
  for (size_t i = lr_next; i < count; i++) __init_array_start[i] = lr_run_next;
  uintptr_t read_only = lr_read_only_end();
  if (read_only > start) lr_protect(start, read_only, PROT_READ);
}

/// The path of the program's file, which the launcher looks up functions in. The one of execve(2) may be relative. The
/// kernel's, proc(5), is absolute, and the same as in its events.
static const char *lr_absolute_path(const char *program_path) {
  enum { longest = 4096 };
  // Not a static array: it would be a part of each program's data.
  char *path = program_path[0] == '/' ? NULL : malloc(longest);
  if (path == NULL) return program_path;
  long length = lr_system(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path, longest, 0, 0);
  if (length <= 0 || length == longest) return program_path;
  path[length] = 0;
  return path;
}

uint32_t lr_initializers_time(const char *program_path, bool is_static) {
  program_path = lr_program_path = lr_absolute_path(program_path);
#if defined(LR_STARTS_AS_INITIALIZER)
  (void)is_static;
  lr_redirect_array();
#else
  if (is_static) lr_redirect_array();
  else lr_redirect_loader(program_path);
#endif
  return lr_timed.untimed;
}

bool lr_program_is_timed(void) { return lr_runs_program; }

#else
bool lr_program_is_timed(void) { return false; }
uint32_t lr_initializers_time(const char *program_path, bool is_static) {
  (void)program_path;
  (void)is_static;
  return 0;
}
#endif
#endif
