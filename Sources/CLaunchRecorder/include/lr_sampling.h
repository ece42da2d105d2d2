// SPDX-License-Identifier: Apache-2.0

// Stacks of the main thread, for a sampler.
#ifndef LR_SAMPLING_H
#define LR_SAMPLING_H

#include "lr_phases.h"

LR_HIDDEN_BEGIN

/// Kernel id of the thread that drains the main queue, or that it is bound to; 0 while there is none; -1 if unknown.
int32_t lr_main_queue_owner(void);
/// True if that owner is a thread of this process, and not the first one: the main actor has left the first thread.
bool lr_main_actor_has_left(int32_t owner);

/// From now on phases of the main thread publish when they are over budget. In phases that do not suspend, their
/// threads accept the signal. `main_queue_thread` returns the kernel id of the thread that runs the main queue's work,
/// or 0 if none does. Its answers are used once it has been right.
void lr_watch_begin(int signal, int32_t (*main_queue_thread)(void));
/// The phase that the main thread is in.
lr_watched lr_watch(void);

/// The following functions write stacks into the trace. One thread calls them, and the ids belong to its sequence.
/// False: the packet was lost, and counted. Ids begin with 1.
///
/// What one sample represents, in ns of the thread's CPU time or of elapsed time. Written first.
bool lr_write_sample_period(uint64_t period, bool is_cpu_time);
/// An executable or shared library; `path` is absolute.
bool lr_write_image(uint64_t image, const char *path, const uint8_t *build_id, size_t build_id_size);
/// A place in an image: run-time address − load bias. For a caller it lies within the call.
bool lr_write_frame(uint64_t frame, uint64_t image, uint64_t address);
/// Frames of a stack, the outermost first.
bool lr_write_stack(uint64_t stack, const uint32_t *frames, size_t count);
/// A thread (its kernel id) had this stack at `time`.
bool lr_write_sample(uint64_t time, int32_t thread, uint64_t stack);

LR_HIDDEN_END

#endif
