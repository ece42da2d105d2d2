// SPDX-License-Identifier: Apache-2.0

// Where a launch takes place, and what the process has used, for the record of a launch. Nothing is read until it is
// asked for.
#ifndef LR_FACTS_H
#define LR_FACTS_H

#include "lr_declarations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LR_HIDDEN_BEGIN

/// Texts are NUL-terminated. Empty or 0: the system does not provide it.
typedef struct lr_machine {
  /// `Linux`, and its release.
  char system[72], release[72];
  char processor[96];
  /// That this process may use: a container or taskset(1) may have fewer than the machine.
  uint32_t processors;
  /// Bytes that this process may use.
  uint64_t memory;
} lr_machine;

#define LR_LONGEST_BUILD_ID 20

typedef struct lr_program {
  /// The executable's file name, without its directory.
  char name[64];
  /// The GNU build id, hexadecimal.
  char build_id[2 * LR_LONGEST_BUILD_ID + 1];
} lr_program;

/// Usage of the whole process so far.
typedef struct lr_usage {
  /// ns.
  uint64_t cpu;
  uint64_t minor_faults, major_faults, threads;
} lr_usage;

lr_machine lr_machine_get(void);
/// How many processors this process may use; at least 1.
uint32_t lr_processors_usable(void);
lr_program lr_program_get(void);
/// The GNU build id in a segment of notes (PT_NOTE, elf(5)), and its length in bytes. NULL if it has none.
const uint8_t *lr_find_build_id(const uint8_t *notes, size_t size, size_t *length);
#if defined(__linux__)
/// Writes the GNU build id of the image that is loaded with this bias: hexadecimal, NUL-terminated, at most
/// 2 * LR_LONGEST_BUILD_ID digits. Returns its length, 0 if it has none.
size_t lr_build_id_at(uintptr_t bias, char *text);
struct dl_phdr_info;
/// True if an entry of the image's program headers is inside of a loaded segment. Only then is it in memory.
bool lr_is_loaded(const struct dl_phdr_info *image, int number);
#endif
/// Costs two system calls.
lr_usage lr_usage_get(void);

LR_HIDDEN_END

#endif
