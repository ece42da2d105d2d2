#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)

// How it works: before the loader calls the first initialiser, each image's DT_INIT_ARRAY is made to name one entry, a
// stub, that runs the image's own initialisers one by one between two time stamps. The slots themselves are left as
// they are (they may still be relocated). See the ELF gABI, "Initialization and Termination Functions".

#define LR_MOST_IMAGES 512u
#define LR_STUB_SIZE 16u
#define LR_LONGEST_IMAGE_NAME 400u
/// Dynamic entries between the first and the last that are changed: linkers write them side by side.
#define LR_LONGEST_SPAN 32

typedef void (*lr_initializer)(int, char **, char **);

typedef struct lr_image {
  const char *path;
  uintptr_t bias;
  lr_initializer init;
  lr_initializer *initializers;
  size_t count;
  /// What DT_INIT_ARRAY points at instead.
  void *stub;
} lr_image;

extern const char lr_initializer_stubs[];
// Made by the linker around the executable's own.
extern lr_initializer __init_array_start[] __attribute__((weak, visibility("hidden")));
extern lr_initializer __init_array_end[] __attribute__((weak, visibility("hidden")));

static lr_image lr_images[LR_MOST_IMAGES];
static uint32_t lr_image_count;
static uint32_t lr_untimed;
static const char *lr_program_path = "";
/// /proc/self/mem while the images are redirected.
static int lr_memory = -1;

static const char *lr_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// MARK: Running them

/// `<image> init` or `<image> initializer <number>`.
static size_t lr_initializer_name(char *name, const char *path, int number) {
  const char *base = lr_base_name(path);
  size_t length = strnlen(base, LR_LONGEST_IMAGE_NAME);
  memcpy(name, base, length);
  const char *kind = number < 0 ? " init" : " initializer ";
  size_t kind_length = strlen(kind);
  memcpy(name + length, kind, kind_length);
  length += kind_length;
  return number < 0 ? length : length + lr_decimal(name + length, (uint64_t)number);
}

static bool lr_write_initializer(const lr_image *image, lr_initializer initializer, int number) {
  char name[LR_LONGEST_IMAGE_NAME + 40];
  size_t length = lr_initializer_name(name, image->path, number);
  size_t path_length = strnlen(image->path, 4096);
  lr_writer *writer = lr_writer_get();
  lr_packet packet;
  size_t bound = 64 + 3 * LR_ANNOTATION + length + path_length;
  if (writer == NULL || !lr_event_open(&packet, writer, lr_now(writer), LR_BEGIN, 0, bound)) return false;
  lr_event_name(&packet, "launchprof.initializer", name, length);
  lr_annotate_foreign_string(&packet, "image", image->path, path_length);
  lr_annotate_pointer(&packet, "address", (uintptr_t)initializer);
  lr_annotate_pointer(&packet, "offset", (uintptr_t)initializer - image->bias);
  lr_event_close(&packet);
  return true;
}

static void lr_run_one(const lr_image *image, lr_initializer initializer, int number, int argc, char **argv,
                       char **envp) {
  bool is_written = lr_write_initializer(image, initializer, number);
  initializer(argc, argv, envp);
  lr_writer *writer = is_written ? lr_writer_get() : NULL;
  // An end with nothing but its time: the record of a scoped interval's.
  if (writer) lr_put_record(writer, lr_now(writer), LR_RECORD_END);
}

/// Called by the stubs.
__attribute__((used, visibility("hidden"))) void lr_run_initializers(int argc, char **argv, char **envp,
                                                                     uint32_t number) {
  const lr_image *image = &lr_images[number];
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
  ElfW(Dyn) *init, *init_array, *init_array_size;
} lr_dynamic;

static lr_dynamic lr_find_dynamic(ElfW(Dyn) *dynamic) {
  lr_dynamic found = {NULL, NULL, NULL};
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_INIT) found.init = dynamic;
    if (dynamic->d_tag == DT_INIT_ARRAY) found.init_array = dynamic;
    if (dynamic->d_tag == DT_INIT_ARRAYSZ) found.init_array_size = dynamic;
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

/// Writes into a dynamic section, which is read-only by now. Through /proc/self/mem (proc(5)), which leaves the
/// protection as it is and so costs less than two mprotect calls; where that is forbidden, through those.
static bool lr_overwrite(void *at, const void *bytes, size_t size, bool is_read_only) {
  uintptr_t start = (uintptr_t)at;
  if (is_read_only && lr_memory >= 0 && pwrite(lr_memory, bytes, size, (off_t)start) == (ssize_t)size) return true;
  if (is_read_only && !lr_protect(start, start + size, PROT_READ | PROT_WRITE)) return false;
  memcpy(at, bytes, size);
  return !is_read_only || lr_protect(start, start + size, PROT_READ);
}

/// Makes the loader call the stub in place of all that the image has: one write over the entries, which lie together.
static bool lr_patch(lr_dynamic dynamic, lr_image *image, uint32_t number, bool is_read_only) {
  ElfW(Dyn) copy[LR_LONGEST_SPAN], *first = NULL, *last = NULL;
  ElfW(Dyn) *const entries[] = {dynamic.init, dynamic.init_array, dynamic.init_array_size};
  for (int i = 0; i < 3; i++) {
    if (entries[i] && (first == NULL || entries[i] < first)) first = entries[i];
    if (entries[i] && (last == NULL || entries[i] > last)) last = entries[i];
  }
  if (last - first >= LR_LONGEST_SPAN) return false;
  size_t size = (size_t)(last - first + 1) * sizeof *first;
  memcpy(copy, first, size);
  image->stub = lr_stub(number);
  void *init = image->count ? (void *)lr_nothing : image->stub;
  if (dynamic.init) copy[dynamic.init - first].d_un.d_ptr = (uintptr_t)init - image->bias;
  if (image->count) {
    copy[dynamic.init_array - first].d_un.d_ptr = (uintptr_t)&image->stub - image->bias;
    copy[dynamic.init_array_size - first].d_un.d_val = sizeof image->stub;
  }
  return lr_overwrite(first, copy, size, is_read_only);
}

static bool lr_redirect(lr_image *image, uint32_t number, ElfW(Dyn) *dynamic, const ElfW(Phdr) *relro) {
  lr_dynamic entries = lr_find_dynamic(dynamic);
  image->init = entries.init ? (lr_initializer)(image->bias + entries.init->d_un.d_ptr) : NULL;
  if (entries.init_array && entries.init_array_size) {
    image->initializers = (lr_initializer *)(image->bias + entries.init_array->d_un.d_ptr);
    image->count = entries.init_array_size->d_un.d_val / sizeof(lr_initializer);
  }
  if (image->init == NULL && image->count == 0) return true;
  uintptr_t at = (uintptr_t)dynamic, start = relro ? image->bias + relro->p_vaddr : 0;
  bool is_read_only = relro && at >= start && at < start + relro->p_memsz;
  return lr_patch(entries, image, number, is_read_only);
}

static int lr_visit_image(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  ElfW(Dyn) *dynamic = NULL;
  const ElfW(Phdr) *relro = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_DYNAMIC) dynamic = (ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
    if (header->p_type == PT_GNU_RELRO) relro = header;
  }
  if (dynamic == NULL) return 0;
  if (lr_image_count == LR_MOST_IMAGES) {
    lr_untimed++;
    return 0;
  }
  lr_image *image = &lr_images[lr_image_count];
  image->bias = info->dlpi_addr;
  image->path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : lr_program_path;
  if (lr_redirect(image, lr_image_count, dynamic, relro)) lr_image_count++;
  else lr_untimed++;
  return 0;
}

// MARK: Static executables

/// Stands in every slot of the executable's array, which the start-up code walks in order.
static void lr_run_next_static(int argc, char **argv, char **envp) {
  static size_t next;
  const lr_image *image = &lr_images[0];
  size_t number = next++;
  lr_run_one(image, image->initializers[number], (int)number, argc, argv, envp);
  if (number + 1 == image->count) lr_main_is_next();
}

/// There is no dynamic section to redirect: the slots are copied and overwritten.
static void lr_redirect_static(void) {
  uintptr_t start = (uintptr_t)__init_array_start, end = (uintptr_t)__init_array_end;
  size_t count = (end - start) / sizeof(lr_initializer);
  if (count == 0) return;
  lr_initializer *copy = mmap(NULL, count * sizeof *copy, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED || !lr_protect(start, end, PROT_READ | PROT_WRITE)) {
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
  if (is_static) {
    lr_redirect_static();
    return lr_untimed;
  }
  lr_memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  dl_iterate_phdr(lr_visit_image, NULL);
  if (lr_memory >= 0) close(lr_memory);
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
