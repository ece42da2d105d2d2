// SPDX-License-Identifier: Apache-2.0

// The agent that `launchprof record --detail loader` has the loader load (LD_AUDIT, rtld-audit(7)): it says when each
// library was mapped and relocated, and times each initialiser. It links nothing, and calls nothing of the program.
#define _GNU_SOURCE
#include "../Sources/CLaunchSchema/CLaunchSchema.h"
#include "agent_record.h"
#include "agent_recorder.h"
#include "agent_system.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

enum { MOST_LIBRARIES = 1024, STUB_SIZE = 16, LONGEST_PATH = 4096, LARGEST_TABLE = 16 << 20 };

#if defined(__x86_64__)
enum { IRELATIVE = R_X86_64_IRELATIVE };
#else
enum { IRELATIVE = R_AARCH64_IRELATIVE };
#endif

typedef void (*initializer)(int, char **, char **);

typedef struct {
  initializer init;
  initializer *initializers;
  uint64_t count;
  /// What DT_INIT_ARRAY points at instead.
  uintptr_t stub;
  /// The place to which the added relocation writes the result of its resolver.
  uintptr_t scratch;
} library;

extern const char agent_initializer_stubs[], agent_relocation_stubs[];

static library libraries[MOST_LIBRARIES];
static uint32_t library_count;
static agent_header *header;
static uint64_t capacity;
static uint32_t process;
/// /proc/self/mem while libraries are added, -1 otherwise: can write to read-only memory, and returns an error where a store
/// would end the program. It is not kept: a program may close it, and then open a file of its own with the same number.
static int memory = -1;
static bool times_initializers = true;
static uintptr_t loader_base, vdso_base;
/// The process executed the loader itself: `ld.so program`.
static bool runs_loader;

// MARK: Records

static uint32_t thread_id(void) { return (uint32_t)agent_call3(SYS_gettid, 0, 0, 0); }

/// A child of the program shares the file. Its events are not recorded.
static bool is_own_process(void) { return header != NULL && (uint32_t)agent_call3(SYS_getpid, 0, 0, 0) == process; }

/// Room for a record; NULL when the file is full. `kind` must be written last.
static agent_record *reserve(void) {
  uint64_t index = __atomic_fetch_add(&header->count, 1, __ATOMIC_RELAXED);
  return index < capacity ? (agent_record *)header + index : NULL;
}

static void publish(agent_record *record, agent_kind kind) {
  __atomic_store_n(&record->kind, (uint32_t)kind, __ATOMIC_RELEASE);
}

static agent_record *write_at(agent_kind kind, uint32_t number, uint64_t time, uint64_t first, uint64_t second) {
  agent_record *record = reserve();
  if (record == NULL) return NULL;
  record->thread = thread_id();
  record->time = time;
  record->library = number;
  record->values[0] = first;
  record->values[1] = second;
  publish(record, kind);
  return record;
}

static void write_path(uint32_t number, const char *path, size_t length) {
  for (size_t at = 0; at < length; at += sizeof((agent_record *)0)->text) {
    agent_record *record = reserve();
    if (record == NULL) return;
    record->library = number;
    record->part = (uint32_t)(at / sizeof record->text);
    for (size_t i = 0; i < sizeof record->text && at + i < length; i++) record->text[i] = path[at + i];
    publish(record, AGENT_TEXT);
  }
}

// MARK: What the loader calls in place of others

__attribute__((used, visibility("hidden"))) uintptr_t agent_relocated(uint32_t number) {
  if (is_own_process()) write_at(AGENT_RELOCATED, number, agent_now(), 0, 0);
  return 0;
}

static void run(uint32_t number, initializer function, int64_t place, int argc, char **argv, char **envp) {
  agent_record *record =
    is_own_process() ? write_at(AGENT_INITIALIZER, number, agent_now(), (uintptr_t)function, (uint64_t)place) : NULL;
  function(argc, argv, envp);
  if (record != NULL) __atomic_store_n(&record->values[2], agent_now(), __ATOMIC_RELEASE);
}

__attribute__((used, visibility("hidden"))) void agent_run_initializers(int argc, char **argv, char **envp,
                                                                        uint32_t number) {
  const library *own = &libraries[number];
  if (own->init != NULL) run(number, own->init, -1, argc, argv, envp);
  // The slots are read when it is their turn: they have been relocated by then.
  for (uint64_t i = 0; i < own->count; i++) run(number, own->initializers[i], (int64_t)i, argc, argv, envp);
}

static void nothing(int argc, char **argv, char **envp) { (void)argc, (void)argv, (void)envp; }

// MARK: Putting them in place

static bool overwrite(void *at, const void *bytes, size_t size) {
  return lr_ask_system(SYS_pwrite64, memory, (long)bytes, (long)size, (long)at, 0, 0) == (long)size;
}

static bool open_memory(void) {
  if (memory < 0) memory = agent_open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  return memory >= 0;
}

static void close_memory(void) {
  if (memory >= 0) agent_close(memory);
  memory = -1;
}

static bool set(ElfW(Dyn) *entry, uint64_t value) { return overwrite(&entry->d_un, &value, sizeof value); }

static ElfW(Dyn) *find(ElfW(Dyn) *dynamic, int64_t tag) {
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag) return dynamic;
  return NULL;
}

/// Adds a relocation behind a table of them: an IRELATIVE one, whose resolver the loader calls when all others of the
/// library are done (glibc, elf/do-rel.h).
static bool add_relocation(const struct link_map *map, ElfW(Dyn) *table, ElfW(Dyn) *size, uint32_t number) {
  size_t length = size->d_un.d_val;
  if (length % sizeof(ElfW(Rela)) != 0 || length > LARGEST_TABLE) return false;
  // glibc adds the bias in place where it may write.
  bool is_absolute = table->d_un.d_ptr >= map->l_addr;
  const char *from = (const char *)(is_absolute ? table->d_un.d_ptr : table->d_un.d_ptr + map->l_addr);
  long room = lr_ask_system(
    SYS_mmap, 0, (long)(length + sizeof(ElfW(Rela))), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room < 0 && room > -4096) return false;
  const uint64_t *words = (const uint64_t *)from;
  for (size_t i = 0; i < length / sizeof *words; i++) ((uint64_t *)room)[i] = words[i];
  *(ElfW(Rela) *)((char *)room + length) = (ElfW(Rela)){
    .r_offset = (uintptr_t)&libraries[number].scratch - map->l_addr,
    .r_info = ELF64_R_INFO(0, IRELATIVE),
    .r_addend = (int64_t)((uintptr_t)agent_relocation_stubs + (uintptr_t)number * STUB_SIZE - map->l_addr),
  };
  // The table first: with the old length, its content is unchanged.
  return set(table, is_absolute ? (uint64_t)room : (uint64_t)room - map->l_addr) &&
         set(size, length + sizeof(ElfW(Rela)));
}

static bool time_relocation(const struct link_map *map, uint32_t number) {
  ElfW(Dyn) *table = find(map->l_ld, DT_JMPREL), *size = find(map->l_ld, DT_PLTRELSZ), *kind = find(map->l_ld, DT_PLTREL);
  if (table != NULL && size != NULL && kind != NULL && kind->d_un.d_val == DT_RELA)
    return add_relocation(map, table, size, number);
  table = find(map->l_ld, DT_RELA), size = find(map->l_ld, DT_RELASZ);
  return table != NULL && size != NULL && add_relocation(map, table, size, number);
}

static bool time_initializers(const struct link_map *map, uint32_t number) {
  ElfW(Dyn) *init = find(map->l_ld, DT_INIT), *array = find(map->l_ld, DT_INIT_ARRAY);
  ElfW(Dyn) *size = find(map->l_ld, DT_INIT_ARRAYSZ);
  library *own = &libraries[number];
  if (init != NULL) own->init = (initializer)(map->l_addr + init->d_un.d_ptr);
  if (array != NULL && size != NULL && size->d_un.d_val >= sizeof(initializer)) {
    own->initializers = (initializer *)(map->l_addr + array->d_un.d_ptr);
    own->count = size->d_un.d_val / sizeof(initializer);
  }
  if (own->init == NULL && own->count == 0) return true;
  own->stub = (uintptr_t)agent_initializer_stubs + (uintptr_t)number * STUB_SIZE;
  if (own->count == 0) return set(init, own->stub - map->l_addr);
  // One slot replaces many, so set the size first: to run only the array's first slot does no harm.
  if (!set(size, sizeof own->stub)) return false;
  if (!set(array, (uintptr_t)&own->stub - map->l_addr)) {
    set(size, own->count * sizeof(initializer));
    return false;
  }
  return init == NULL || set(init, (uintptr_t)nothing - map->l_addr);
}

/// Whether the program has a recorder, which times the initialisers itself. It begins in DT_PREINIT_ARRAY, which hardly any
/// other program has. The process's file is the loader if that was executed, and does not tell.
static bool has_recorder(const struct link_map *program) {
  return find(program->l_ld, DT_PREINIT_ARRAY) != NULL && (runs_loader || agent_program_has_recorder());
}

// MARK: Beginning

static bool has_prefix(const char *text, const char *prefix) {
  while (*prefix != 0)
    if (*text++ != *prefix++) return false;
  return true;
}

/// Reads a file as far as there is room. Returns the number of bytes.
static size_t read_file(const char *path, char *buffer, size_t size) {
  int file = agent_open(path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  if (file < 0) return 0;
  for (long got; length < size; length += (size_t)got)
    if ((got = agent_call3(SYS_read, file, (long)(buffer + length), (long)(size - length))) <= 0) break;
  agent_close(file);
  return length;
}

/// `LAUNCHPROF_AGENT_FILE`, if we are the process of `LAUNCHPROF_START`, the launched one: its children have the same
/// variables. An auditor has no environ(7).
static const char *file_path(char *environment, size_t length) {
  static const char name[] = LS_VARIABLE_AGENT_FILE "=", stamp[] = LS_VARIABLE_START "=";
  const char *path = NULL;
  uint32_t launched = 0;
  for (char *at = environment; at < environment + length;) {
    if (has_prefix(at, name)) path = at + sizeof name - 1;
    if (has_prefix(at, stamp))
      for (const char *digit = at + sizeof stamp - 1; *digit >= '0' && *digit <= '9'; digit++)
        launched = launched * 10 + (uint32_t)(*digit - '0');
    while (at < environment + length && *at != 0) at++;
    at++;
  }
  return launched == process ? path : NULL;
}

static bool map_file(const char *path) {
  int file = agent_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  long size = agent_call3(SYS_lseek, file, 0, 2);
  long mapped = size >= 2 * AGENT_RECORD_SIZE
                  ? lr_ask_system(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                  : -1;
  agent_close(file);
  if (mapped < 0 && mapped > -4096) return false;
  header = (agent_header *)mapped;
  capacity = (uint64_t)size / AGENT_RECORD_SIZE;
  header->process = process;
  return header->format == AGENT_FORMAT;
}

static void read_auxiliary_vector(void) {
  static uint64_t vector[128];
  uintptr_t headers = 0;
  size_t length = read_file("/proc/self/auxv", (char *)vector, sizeof vector);
  for (size_t i = 0; i + 1 < length / sizeof *vector && vector[i] != AT_NULL; i += 2) {
    if (vector[i] == AT_BASE) loader_base = vector[i + 1];
    if (vector[i] == AT_PHDR) headers = vector[i + 1];
    if (vector[i] == AT_SYSINFO_EHDR) vdso_base = vector[i + 1];
  }
  // The program headers are those of the executed file, right behind its ELF header.
  runs_loader = loader_base == 0;
  if (runs_loader) loader_base = headers - sizeof(ElfW(Ehdr));
}

EXPORT unsigned int la_version(unsigned int version) {
  enum { LARGEST_ENVIRONMENT = 4 << 20 };
  process = (uint32_t)agent_call3(SYS_getpid, 0, 0, 0);
  long room = lr_ask_system(
    SYS_mmap, 0, LARGEST_ENVIRONMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room < 0 && room > -4096) return 0;
  size_t length = read_file("/proc/self/environ", (char *)room, LARGEST_ENVIRONMENT - 1);
  const char *path = file_path((char *)room, length);
  bool is_open = path != NULL && map_file(path);
  agent_call3(SYS_munmap, room, LARGEST_ENVIRONMENT, 0);
  if (!is_open) return 0;
  read_auxiliary_vector();
  agent_find_clock((const void *)vdso_base);
  write_at(AGENT_BEGIN, 0, agent_now(), 0, 0);
  return version;
}

/// Copies the path of the program that runs, which the loader does not name. Returns the length, 0 if it is not known.
static size_t program_path(char path[LONGEST_PATH]) {
  if (runs_loader) return 0;
  long length = lr_ask_system(SYS_readlinkat, -100, (long)"/proc/self/exe", (long)path, LONGEST_PATH, 0, 0);
  return length > 0 && length < LONGEST_PATH ? (size_t)length : 0;
}

/// Copies the path of a library. The loader may know one that is relative to the current directory, which the program may
/// change later. Returns the length, without a NUL.
static size_t absolute_path(const char *name, char path[2 * LONGEST_PATH]) {
  size_t length = 0, slash = 0;
  while (name[slash] != 0 && name[slash] != '/') slash++;
  if (slash > 0 && name[slash] == '/') {
    long got = agent_call3(SYS_getcwd, (long)path, LONGEST_PATH, 0);
    if (got > 1 && path[0] == '/') length = (size_t)got;
    if (length > 0) path[length - 1] = '/';
    if (length > 0 && has_prefix(name, "./")) name += 2;
  }
  for (size_t i = 0; i < LONGEST_PATH && name[i] != 0; i++) path[length++] = name[i];
  return length;
}

EXPORT unsigned int la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  (void)space, (void)cookie;
  if (!is_own_process() || map->l_ld == NULL || (vdso_base != 0 && map->l_addr == vdso_base)) return 0;
  uint32_t number = __atomic_fetch_add(&library_count, 1, __ATOMIC_RELAXED);
  // The loader opens one library at a time.
  static char path[2 * LONGEST_PATH];
  size_t length = map->l_name != NULL && map->l_name[0] != 0 ? absolute_path(map->l_name, path) : program_path(path);
  write_at(AGENT_LIBRARY, number, agent_now(), map->l_addr, length);
  write_path(number, path, length);
  // The loader has relocated itself, and has no initialisers.
  if (loader_base != 0 && map->l_addr == loader_base) return 0;
  if (number == 0 && has_recorder(map)) times_initializers = false;
  bool is_timed = number < MOST_LIBRARIES && open_memory() && time_relocation(map, number) &&
                  (!times_initializers || time_initializers(map, number));
  if (!is_timed) __atomic_fetch_add(&header->untimed, 1, __ATOMIC_RELAXED);
  return 0;
}

EXPORT void la_activity(uintptr_t *cookie, unsigned int flag) {
  (void)cookie;
  if (!is_own_process()) return;
  if (flag != LA_ACT_DELETE) write_at(flag == LA_ACT_ADD ? AGENT_ADDING : AGENT_CONSISTENT, 0, agent_now(), 0, 0);
  // Also after a dlopen that failed: its libraries are deleted again.
  if (flag != LA_ACT_ADD) close_memory();
}
