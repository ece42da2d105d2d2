// SPDX-License-Identifier: Apache-2.0

// Launches of a program that is observed by a few of the means of `launchprof record`, and by nothing else. Linux.
#ifndef COBSERVERPARTS_H
#define COBSERVERPARTS_H

#include <stdint.h>

/// Each with all before it.
typedef enum {
  COP_NOTHING,
  /// An event a CPU, which records nothing.
  COP_EVENTS,
  /// Mappings of code.
  COP_CODE,
  /// All other mappings.
  COP_MAPPINGS,
  /// Names, threads, switches, major faults.
  COP_RECORDS,
  /// The stop at execve.
  COP_STOP,
  /// Word of another program.
  COP_WORD,
  /// A breakpoint that is not reached.
  COP_BREAKPOINT,
  /// Samples at 1 kHz.
  COP_SAMPLES,
  /// Stacks of threads that leave their CPUs. Root may see them.
  COP_WAITS,
} cop_part;

/// Makes the rings that all launches share, one a CPU. Returns 0 or an errno.
int cop_open(void);

/// Launches a program with its output thrown away and waits for its end.
///
/// Returns 0 and the CPU time from execve on, ns; or an errno, EINVAL when the program did not end well.
int cop_launch(const char *path, char *const arguments[], cop_part parts, uint64_t *cpu_ns);

#endif
