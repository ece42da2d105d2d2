// SPDX-License-Identifier: Apache-2.0

// A program that proves what the sampler promises: scripts/check-sampler runs it for long, the tests for a moment.
#ifndef SAMPLER_PROGRAM_H
#define SAMPLER_PROGRAM_H

#include <stdint.h>

#include "CLaunchSampler.h"
#include "lr_snapshot.h"

/// Begins to record into memory. False: it cannot.
extern "C" bool beginRecording(void);

/// Each prints `name value` lines and returns the program's exit status.
///
/// Takes stacks of work of all kinds, and compares each with what libunwind says at the same place.
int compareStacks(uint64_t wanted);
/// Samples a main thread that allocates, throws and loads libraries, among threads that do the same and end.
int stress(double seconds);
/// Counts which system calls of a sampled thread end with EINTR.
int interruptions(double seconds, bool onlyRunning);
/// Forks while it is sampled, and counts the children that wait for ever.
int forks(int count);
/// Samples the function `spin` of a library until it has 20 stacks.
int sampleLibrary(const char *path);

uint64_t monotonicTime();
/// Begins to record into memory and to sample `rate` times a second, whatever the budget. False: it says why.
bool beginSampling(uint64_t rate, bool onlyRunning);
/// Ends both, and prints what the sampler did.
void endSampling();

#endif
