// SPDX-License-Identifier: Apache-2.0

// CLOCK_MONOTONIC from the cycle counter.
#ifndef LR_CLOCK_H
#define LR_CLOCK_H

#include "lr_writer.h"

#pragma GCC visibility push(hidden)

typedef enum lr_clock_kind { LR_CLOCK_VDSO, LR_CLOCK_TSC, LR_CLOCK_CNTVCT } lr_clock_kind;

/// The cycle counter that time stamps come from after calibration, if its rate is constant.
lr_clock_kind lr_clock_candidate(void);
/// clock_gettime, ns.
uint64_t lr_clock_read(int clock);
/// Says that the counter runs at a constant rate, which was measured for at least 1 ms: ns per tick, times 2^32.
/// Writers made from here on need not measure it.
void lr_clock_know(uint64_t rate);
/// LR_SPREAD_MASK if pdep is fast here and a thread has found that out; otherwise 0.
uint64_t lr_known_spread_mask(void);

/// Sets the writer's time to `ns` at `ticks` of the counter. The time does not advance until lr_clock_run.
void lr_clock_set(lr_writer *writer, uint64_t ticks, uint64_t ns);
/// Starts the line from there: `rate` is ns per tick, times 2^32. Returns the ns since clock_ns at those ticks.
///
/// The line is valid for `window_ns`, but at most until the lower 28 bits of the time are used up.
uint64_t lr_clock_run(lr_writer *writer, uint64_t rate, uint64_t window_ns);

#pragma GCC visibility pop

#endif
