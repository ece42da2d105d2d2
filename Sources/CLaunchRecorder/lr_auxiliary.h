// SPDX-License-Identifier: Apache-2.0

#ifndef LR_AUXILIARY_H
#define LR_AUXILIARY_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/// What the auxiliary vector says: getauxval(3).
typedef struct {
  uintptr_t entry, base;
  const char *program;
  bool is_secure;
} lr_auxiliary;

/// - environment: the kernel's, which the auxiliary vector follows. unsetenv(3) leaves more than one NULL at its end.
static inline lr_auxiliary lr_auxiliary_read(char **environment) {
  lr_auxiliary found = {.is_secure = true};
  while (environment[0] || !environment[1]) environment++;
  for (const ElfW(auxv_t) *entry = (const void *)(environment + 1); entry->a_type != AT_NULL; entry++) {
    uintptr_t value = entry->a_un.a_val;
    if (entry->a_type == AT_ENTRY) found.entry = value;
    else if (entry->a_type == AT_BASE) found.base = value;
    else if (entry->a_type == AT_EXECFN) found.program = (const char *)value;
    else if (entry->a_type == AT_SECURE) found.is_secure = value != 0;
  }
  return found;
}

// The bounds of the file in memory that contains the recorder: the linker defines them.
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/// Whether the recorder is part of the program, and not of a shared library: the entry point is in the same file.
static inline bool lr_auxiliary_is_of_program(const lr_auxiliary *auxiliary) {
  return auxiliary->entry >= (uintptr_t)__ehdr_start && auxiliary->entry < (uintptr_t)_end;
}

#endif
