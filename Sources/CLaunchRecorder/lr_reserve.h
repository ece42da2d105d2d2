// SPDX-License-Identifier: Apache-2.0

// Room for milestones in a trace that is full.
#ifndef LR_RESERVE_H
#define LR_RESERVE_H

#include "lr_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

// A place for one milestone each. They lie at the end of the first thread's first chunk (D302).
#define LR_PLACE 256u
#define LR_PLACES 8u

/// Where the reserve begins; NULL before it is made.
extern uint8_t *lr_reserve_start;
/// Writes a milestone into the reserve. `writer`: that of the thread, or NULL if it has none. False if there is no room.
/// Takes no lock.
bool lr_reserve_mark(const lr_writer *writer, const char *name, size_t name_length, uint64_t time);

#pragma GCC visibility pop

#endif
