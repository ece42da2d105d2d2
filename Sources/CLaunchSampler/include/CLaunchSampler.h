// SPDX-License-Identifier: Apache-2.0

// Stacks of the main thread while its work is over budget, taken inside the program.
//
// A watchdog thread asks for a stack. The main thread copies its registers and its stack into one buffer, in a signal
// handler, and continues. The watchdog unwinds the copy and writes it into the recorder's trace. The handler calls
// nothing that could wait for a lock. So it is safe wherever the signal arrives: in malloc, in the loader, in the
// unwinder of a C++ exception.
#ifndef CLAUNCH_SAMPLER_H
#define CLAUNCH_SAMPLER_H

#include "lr_declarations.h"

#include <stdbool.h>
#include <stdint.h>

LR_C_BEGIN

typedef struct lr_sampler_options {
  /// Time between two stacks, ns.
  uint64_t period;
  /// How long the thread that runs the main actor may be busy without a pause, outside of phases, ns. INT64_MAX and more: for ever.
  uint64_t busy_budget;
  /// The largest number of stacks to take.
  uint32_t most_samples;
  /// 0: SIGURG.
  int signal;
  /// Take stacks only while the thread uses CPU time. Its timer does not run while the thread waits, so that no waiting
  /// call is interrupted.
  bool only_running;
  /// Take stacks from now on, whether or not the work is over budget.
  bool whole_launch;
  /// Take stacks even if a launcher, which takes stacks itself, launched the program.
  bool beside_launcher;
  /// Follow frame pointers where the unwind tables confirm them: the same stacks for less of the watchdog's time.
  bool frame_pointers_first;
} lr_sampler_options;

typedef struct lr_sampler_statistics {
  /// Stacks in the trace.
  uint64_t samples;
  /// Stacks that were requested but did not come in time: the thread had blocked the signal, or did not run.
  uint64_t missed;
  /// Stacks that did not fit into the trace or the tables.
  uint64_t dropped;
  /// ns in the signal handler, on the sampled thread: the longest time, and the sum.
  uint64_t longest_interruption, interruptions;
  /// ns that the watchdog needed to unwind and write.
  uint64_t work;
} lr_sampler_statistics;

/// Starts the sampler, once per process. It ends by itself when the launch is over, when its deadline has passed, or when
/// recording stops. Returns 0 or an errno. EBUSY: the signal already has a handler. EALREADY: the sampler was started
/// before. ENOTSUP: the platform has no sampler. EPERM: nothing is recorded, as in a fork of a recorded process, or a
/// launcher takes the stacks.
int lr_sampler_start(const lr_sampler_options *options);
/// Stops the sampler, and returns when it has ended. Do not call it from a signal handler.
void lr_sampler_stop(void);
lr_sampler_statistics lr_sampler_statistics_get(void);

LR_C_END

#endif
