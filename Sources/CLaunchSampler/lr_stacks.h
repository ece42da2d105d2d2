// What the trace knows of stacks: which images, frames and stacks have ids. Fixed memory, of one thread.
#ifndef LR_STACKS_H
#define LR_STACKS_H

#include "include/lr_snapshot.h"

/// Memory for the tables; false when there is none.
bool lr_stacks_start(void);
/// Writes a sample with what of its stack is new. False: it did not fit, into the tables or the trace.
bool lr_stacks_write(const lr_snapshot *snapshot, const lr_stack *stack);

#endif
