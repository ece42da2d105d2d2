// CLOCK_MONOTONIC from the cycle counter.
#ifndef LR_CLOCK_H
#define LR_CLOCK_H

#include <stdint.h>

typedef enum lr_clock_kind { LR_CLOCK_VDSO, LR_CLOCK_TSC, LR_CLOCK_CNTVCT } lr_clock_kind;

/// The cycle counter that time stamps come from once it is calibrated, if it runs at a constant rate.
lr_clock_kind lr_clock_candidate(void);
/// clock_gettime, ns.
uint64_t lr_clock_read(int clock);
/// The counter runs at a constant rate, which somebody has measured for at least 1 ms: ns a tick, times 2^32. Writers that are
/// made from here on need not.
void lr_clock_know(uint64_t rate);

#endif
