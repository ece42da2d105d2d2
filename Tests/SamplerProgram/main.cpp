// SPDX-License-Identifier: Apache-2.0

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t monotonicTime() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

bool beginSampling(uint64_t rate, bool onlyRunning) {
  if (!beginRecording()) {
    fprintf(stderr, "nothing can be recorded\n");
    return false;
  }
  lr_sampler_options options = {};
  options.period = 1000000000 / rate;
  options.busy_budget = UINT64_MAX;
  options.most_samples = 10000000;
  options.only_running = onlyRunning;
  options.whole_launch = true;
  options.frame_pointers_first = getenv("SAMPLER_COMPLETE") == nullptr;
  int error = lr_sampler_start(&options);
  if (error != 0) fprintf(stderr, "nothing can be sampled: %s\n", strerror(error));
  return error == 0;
}

void endSampling() {
  lr_sampler_stop();
  lr_sampler_statistics done = lr_sampler_statistics_get();
  uint64_t taken = done.samples + done.dropped > 0 ? done.samples + done.dropped : 1;
  printf("samples %lu\nmissed %lu\ndropped %lu\n", done.samples, done.missed, done.dropped);
  printf("interruption_ns %lu\nlongest_interruption_ns %lu\nwork_ns %lu\n", done.interruptions / taken,
         done.longest_interruption, done.work / taken);
}

int main(int count, char **arguments) {
  const char *what = count > 2 ? arguments[1] : "";
  double amount = count > 2 ? atof(arguments[2]) : 0;
  if (strcmp(what, "stacks") == 0) return compareStacks(static_cast<uint64_t>(amount));
  if (strcmp(what, "stress") == 0) return stress(amount);
  if (strcmp(what, "interruptions") == 0) return interruptions(amount, count > 3);
  if (strcmp(what, "forks") == 0) return forks(static_cast<int>(amount));
  if (strcmp(what, "library") == 0) return sampleLibrary(arguments[2]);
  fprintf(stderr, "usage: sampler-program stacks COUNT | stress SECONDS | interruptions SECONDS [running] | forks COUNT |\n"
                  "       library PATH\n");
  return 64;
}
