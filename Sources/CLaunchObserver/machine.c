// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLaunchObserver.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "../CLaunchRecorder/lr_processor.h"
#include "../CLaunchRecorder/lr_usable.h"

void lo_processor_model(const char *information, char *model, size_t size) {
  lr_processor_model(information, model, size);
}

lo_usable lo_usable_now(void) {
  lr_usable usable = lr_usable_get();
  return (lo_usable){usable.processors, usable.memory};
}

lo_usable lo_limited(lo_usable machine, char *groups, const char *root) {
  lr_usable usable = {machine.processors, machine.memory};
  lr_limit_by_control_groups(&usable, groups, root);
  return (lo_usable){usable.processors, usable.memory};
}

const void *lo_kernel_code(size_t *size) {
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
  if (!header) return NULL;
  // The section headers are the last part of the file, if it has any.
  size_t end = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const char *)header + header->e_phoff);
  for (int index = 0; index < header->e_phnum; index++) {
    size_t segment_end = segments[index].p_offset + segments[index].p_filesz;
    if (segment_end > end) end = segment_end;
  }
  *size = end;
  return header;
}
