// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_LO_ORDER_H
#define LAUNCHPROF_LO_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A launch that records which functions it touches, and in which order. All memory belongs to the caller.
typedef struct {
  const char *program;
  /// End with NULL.
  char *const *arguments;
  char *const *environment;
  /// The virtual address of the first instruction in the file.
  uint64_t entry;
  /// The virtual addresses of functions in the file: ascending, each once.
  const uint64_t *addresses;
  size_t count;
  /// ns after which the program is ended; 0 for no limit.
  uint64_t timeout_ns;
  /// Indices into `addresses`, in the order of their first touch: room for `count`.
  uint32_t *order;
  size_t touched;
  /// The program's status, as from waitpid(2).
  int status;
  /// Whether it was ended after `timeout_ns`.
  bool timed_out;
  /// Whether children still ran at the end of the launch, and were ended: what they touch later is missing.
  bool left_running;
  /// What the program wrote to its standard output and standard error: its length, and a hash (FNV-1a).
  uint64_t output_length, output_hash;
} lo_order_launch;

/// Launches the program with a breakpoint on each function, which is removed when it is reached. Follows threads and
/// children of the program until they execute another one. When the program has ended, it follows the others as long as
/// one can still write to the program's output. Then it ends the children that the program left running. Meanwhile,
/// nothing else here may wait for children, or handle SIGCHLD and SIGALRM.
///
/// Returns 0 or an errno: ENOSYS on machines other than x86-64.
int lo_order(lo_order_launch *launch);

#endif
