// SPDX-License-Identifier: Apache-2.0

// Which thread runs the main actor.
#ifndef LR_QUEUE_OWNER_H
#define LR_QUEUE_OWNER_H

#include <stdint.h>

/// Kernel id of the thread that drains the main queue, or that it is bound to; 0 while there is none; -1 if unknown.
int32_t lr_main_queue_owner(void);

#endif
