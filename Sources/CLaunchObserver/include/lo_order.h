#ifndef LAUNCHPROF_LO_ORDER_H
#define LAUNCHPROF_LO_ORDER_H

#include <stddef.h>
#include <stdint.h>

/// A launch of which is recorded which functions it touches, in which order. All memory is the caller's.
typedef struct {
  const char *program;
  /// End with NULL.
  char *const *arguments;
  char *const *environment;
  /// What becomes its standard output and standard error.
  int output;
  /// The virtual address of the first instruction, as the file has it.
  uint64_t entry;
  /// Where functions begin, as the file has them: ascending, each once.
  const uint64_t *addresses;
  size_t count;
  /// ns after which the program is ended; 0 for no limit.
  uint64_t timeout_ns;
  /// Places in `addresses`, in the order of their first touch: room for `count`.
  uint32_t *order;
  size_t touched;
  /// Of the program, as waitpid(2) says it.
  int status;
} lo_order_launch;

/// Launches the program with a breakpoint on each function, which goes when it is met. Threads and children of the program are
/// followed until they execute another one. Nothing else of this process may wait for children meanwhile.
///
/// Returns 0 or an errno: ENOSYS on machines other than x86-64.
int lo_order(lo_order_launch *launch);

/// A file in memory for a program's output; -1 with errno.
int lo_order_output(void);

#endif
