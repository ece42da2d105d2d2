// CLOCK_MONOTONIC from the cycle counter.
#ifndef LR_CLOCK_H
#define LR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum lr_clock_kind { LR_CLOCK_VDSO, LR_CLOCK_TSC, LR_CLOCK_CNTVCT } lr_clock_kind;

/// Finds whether the cycle counter runs at a constant rate. Once, when recording starts (CPUID may trap: 5 µs).
void lr_clock_start(void);
lr_clock_kind lr_clock_kind_get(void);
/// clock_gettime, ns.
uint64_t lr_clock_read(int clock);

#endif
