// SPDX-License-Identifier: Apache-2.0

// What the trace contains already: the images, frames and stacks that have ids. Fixed memory, used by one thread.
#ifndef LR_STACKS_H
#define LR_STACKS_H

#include "include/lr_snapshot.h"

/// Allocates the tables; false if there is no memory.
bool lr_stacks_start(void);
/// Writes a sample, and the parts of its stack that are new. False: no room in the tables or the trace.
bool lr_stacks_write(const lr_snapshot *snapshot, const lr_stack *stack);

#endif
