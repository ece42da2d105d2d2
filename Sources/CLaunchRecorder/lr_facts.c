// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "include/lr_facts.h"
#include "lr_processor.h"
#include "lr_usable.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static void lr_copy_text(char *to, size_t size, const char *text, size_t length) {
  if (length > size - 1) length = size - 1;
  memcpy(to, text, length);
  to[length] = 0;
}

static void lr_read_processor(lr_machine *machine) {
  char text[8192];
  lr_read_text("/proc/cpuinfo", text, sizeof text);
  lr_processor_model(text, machine->processor, sizeof machine->processor);
}

lr_machine lr_machine_get(void) {
  lr_machine machine = {0};
  struct utsname names;
  if (uname(&names) == 0) {
    lr_copy_text(machine.system, sizeof machine.system, names.sysname, strlen(names.sysname));
    lr_copy_text(machine.release, sizeof machine.release, names.release, strlen(names.release));
  }
  lr_usable usable = lr_usable_get();
  machine.processors = usable.processors;
  machine.memory = usable.memory;
  lr_read_processor(&machine);
  return machine;
}

uint32_t lr_processors_usable(void) { return lr_usable_get().processors; }

const uint8_t *lr_find_build_id(const uint8_t *note, size_t size, size_t *length) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    memcpy(&header, note, sizeof header);
    size_t name = (header.n_namesz + 3u) & ~3u, whole = sizeof header + name + ((header.n_descsz + 3u) & ~3u);
    if (whole > size) break;
    // The note `GNU` of type 3 (NT_GNU_BUILD_ID).
    bool is_build_id = header.n_type == 3 && header.n_namesz == 4 && memcmp(note + sizeof header, "GNU", 4) == 0;
    *length = header.n_descsz;
    if (is_build_id && header.n_descsz <= LR_LONGEST_BUILD_ID) return note + sizeof header + name;
    note += whole;
    size -= whole;
  }
  return NULL;
}

bool lr_is_loaded(const struct dl_phdr_info *image, int number) {
  const ElfW(Phdr) *part = &image->dlpi_phdr[number];
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    bool begins_inside = segment->p_type == PT_LOAD && part->p_vaddr >= segment->p_vaddr;
    if (begins_inside && part->p_vaddr - segment->p_vaddr <= segment->p_filesz &&
        part->p_filesz <= segment->p_filesz - (part->p_vaddr - segment->p_vaddr))
      return true;
  }
  return false;
}

/// Returns the length of the text.
static size_t lr_write_build_id(const struct dl_phdr_info *image, char *text) {
  const uint8_t *bytes = NULL;
  size_t length = 0;
  for (int i = 0; i < image->dlpi_phnum && bytes == NULL; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE && lr_is_loaded(image, i))
      bytes = lr_find_build_id((const uint8_t *)(image->dlpi_addr + segment->p_vaddr), segment->p_filesz, &length);
  }
  char *to = text;
  for (size_t i = 0; bytes && i < length; i++) {
    *to++ = "0123456789abcdef"[bytes[i] >> 4];
    *to++ = "0123456789abcdef"[bytes[i] & 15];
  }
  *to = 0;
  return (size_t)(to - text);
}

/// The program comes first. Other images are not examined.
static int lr_write_build_id_of_first(struct dl_phdr_info *image, size_t size, void *text) {
  (void)size;
  lr_write_build_id(image, text);
  return 1;
}

typedef struct lr_wanted_build_id {
  uintptr_t bias;
  char *text;
  size_t length;
} lr_wanted_build_id;

static int lr_write_wanted_build_id(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  lr_wanted_build_id *wanted = context;
  if (image->dlpi_addr != wanted->bias) return 0;
  wanted->length = lr_write_build_id(image, wanted->text);
  return 1;
}

size_t lr_build_id_at(uintptr_t bias, char *text) {
  lr_wanted_build_id wanted = {bias, text, 0};
  dl_iterate_phdr(lr_write_wanted_build_id, &wanted);
  return wanted.length;
}

lr_program lr_program_get(void) {
  lr_program program = {0};
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  // The kernel appends this to the name of a file that was replaced meanwhile.
  const char *deleted = strstr(name, " (deleted)");
  lr_copy_text(program.name, sizeof program.name, name, deleted ? (size_t)(deleted - name) : strlen(name));
  dl_iterate_phdr(lr_write_build_id_of_first, program.build_id);
  return program;
}

lr_usage lr_usage_get(void) {
  lr_usage usage = {0};
  struct rusage used;
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    usage.cpu = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u +
                (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
    usage.minor_faults = (uint64_t)used.ru_minflt;
    usage.major_faults = (uint64_t)used.ru_majflt;
  }
  // One directory per thread, each of which links to this one.
  struct stat tasks;
  if (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 2) usage.threads = (uint64_t)tasks.st_nlink - 2;
  return usage;
}
#endif
