// CLOCK_MONOTONIC from the cycle counter.
#ifndef LR_CLOCK_H
#define LR_CLOCK_H

#include "lr_writer.h"

typedef enum lr_clock_kind { LR_CLOCK_VDSO, LR_CLOCK_TSC, LR_CLOCK_CNTVCT } lr_clock_kind;

/// The cycle counter that time stamps come from once it is calibrated, if it runs at a constant rate.
lr_clock_kind lr_clock_candidate(void);
/// clock_gettime, ns.
uint64_t lr_clock_read(int clock);
/// The counter runs at a constant rate, which somebody has measured for at least 1 ms: ns a tick, times 2^32. Writers that are
/// made from here on need not.
void lr_clock_know(uint64_t rate);

/// Sets the writer's time to `ns` at `ticks` of the counter, where it stands until the line runs.
void lr_clock_set(lr_writer *writer, uint64_t ticks, uint64_t ns);
/// Lets the line run from there: `rate` is ns a tick, times 2^32. Returns the ns since clock_ns at those ticks.
///
/// It holds for `window_ns`, and at the most until the lower 28 bits of the time are used up.
uint64_t lr_clock_run(lr_writer *writer, uint64_t rate, uint64_t window_ns);

#endif
