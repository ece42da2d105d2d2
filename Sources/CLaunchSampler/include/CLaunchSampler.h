// Stacks of the main thread while its work is over budget, taken inside the program.
//
// A watchdog thread asks; the main thread, in a signal handler, copies its registers and its stack into one buffer, and
// goes on; the watchdog unwinds the copy and writes it into the recorder's trace. The handler calls nothing that could
// wait for a lock: it is safe wherever the signal arrives, in malloc, in the loader, in the unwinder of a C++
// exception.
#ifndef CLAUNCH_SAMPLER_H
#define CLAUNCH_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lr_sampler_options {
  /// Between two stacks, ns.
  uint64_t period;
  /// How long the thread that runs the main actor may be busy without a pause, in no phase, ns.
  uint64_t busy_budget;
  /// Most stacks to be taken.
  uint32_t most_samples;
  /// 0: SIGURG.
  int signal;
  /// Take stacks of the thread's CPU time only: by a timer that runs while it does, so that no call that waits is
  /// interrupted.
  bool only_running;
  /// Take stacks from now on, over budget or not.
  bool whole_launch;
  /// Also when a launcher launched the program, which takes stacks itself.
  bool beside_launcher;
  /// Follow frame pointers where the unwind tables confirm them: the same stacks, for less of the watchdog's time.
  bool frame_pointers_first;
} lr_sampler_options;

typedef struct lr_sampler_statistics {
  /// Stacks in the trace.
  uint64_t samples;
  /// Asked for and not given in time: the thread had the signal blocked, or did not run.
  uint64_t missed;
  /// Stacks that did not fit into the trace or the tables.
  uint64_t dropped;
  /// Stacks for which the tables were needed.
  uint64_t unwound;
  /// ns in the signal handler, of the sampled thread's time; the longest one, and all.
  uint64_t longest_interruption, interruptions;
  /// ns that the watchdog needed to unwind and write.
  uint64_t work;
} lr_sampler_statistics;

/// Starts the sampler, once per process. It ends by itself when the launch is over, or when recording stops. Returns 0 or an
/// errno. EBUSY: the signal already has a handler. EALREADY: it was called before. ENOTSUP: the platform has no sampler.
/// EPERM: nothing is recorded, or a launcher takes the stacks.
int lr_sampler_start(const lr_sampler_options *options);
/// Ends the sampler, and returns when it has ended. Do not call it from a signal handler.
void lr_sampler_stop(void);
lr_sampler_statistics lr_sampler_statistics_get(void);

#ifdef __cplusplus
}
#endif

#endif
