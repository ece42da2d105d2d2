// What the two ways of unwinding a snapshot share.
#ifndef LR_UNWIND_H
#define LR_UNWIND_H

#include <libunwind.h>

#include "lr_snapshot.h"

typedef struct lr_unwind_job {
  const lr_snapshot *snapshot;
  lr_stack *stack;
  /// libunwind's idea of the process.
  unw_addr_space_t space;
  /// Of the frame that is looked at, in libunwind's order.
  uint64_t registers[LR_REGISTERS];
} lr_unwind_job;

/// Adds the callers of the frame that the job's registers say, by frame pointers wherever these are true, else by the
/// unwind tables. While no image can come or go.
void lr_follow_frames(lr_unwind_job *job);
/// Forgets what it has learnt of addresses: images came or went.
void lr_frames_forget(void);

#endif
