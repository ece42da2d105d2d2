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
} lr_unwind_job;

/// Adds the callers of the frame in the job's registers: by frame pointers where these are correct, otherwise by the
/// unwind tables. Call it while no image can be loaded or unloaded.
void lr_follow_frames(lr_unwind_job *job);
/// Forgets the rules it has learnt for addresses, because images were loaded or unloaded.
void lr_frames_forget(void);

#endif
