// SPDX-License-Identifier: Apache-2.0

// What the two ways of unwinding a snapshot share.
#ifndef LR_UNWIND_H
#define LR_UNWIND_H

#include <libunwind.h>

#include "lr_snapshot.h"

typedef struct lr_unwind_job {
  const lr_snapshot *snapshot;
  lr_stack *stack;
  /// libunwind's view of the process.
  unw_addr_space_t space;
  /// Registers of the current frame, in libunwind's order.
  uint64_t registers[LR_REGISTERS];
  /// The stack pointer in `registers` may be too high. The place of what a signal has saved is then unknown.
  bool is_stack_guessed;
} lr_unwind_job;

#if defined(__aarch64__)
/// A word of a register or of the stack, without the signature that arm64 processors put into return addresses (pointer
/// authentication). Addresses of programs have 48 bits, and the signature is in the bits above.
static inline uint64_t lr_without_signature(uint64_t word) {
  uint64_t address = word & ((UINT64_C(1) << 48) - 1);
  return address != word && lr_image_at(address) ? address : word;
}
/// The addresses of the function that the job's registers are in. False if no table has it.
bool lr_job_function(lr_unwind_job *job, uint64_t *start, uint64_t *end);
#else
static inline uint64_t lr_without_signature(uint64_t word) { return word; }
#endif

/// Adds the callers of the frame in the job's registers: by frame pointers where these are correct, otherwise by the
/// unwind tables. Call it while no image can be loaded or unloaded.
void lr_follow_frames(lr_unwind_job *job);
/// Forgets the rules it has learnt for addresses, because images were loaded or unloaded.
void lr_frames_forget(void);

#endif
