// SPDX-License-Identifier: Apache-2.0

// The recorder alone, without Swift. It runs where there is only a C compiler (arm64 under qemu), and under the
// sanitizers of gcc and clang. `main THREADS ROUNDS` works like Tests/ProofProgram and prints which thread did what.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "CLaunchRecorder.h"
#include "lr_spool.h"

static const lr_category *category;
static long rounds;

static volatile int constructed;
/// Sleeps, so that a clock that runs at a wrong rate is noticed.
__attribute__((constructor)) static void construct(void) { constructed = usleep(20000) == 0; }

static void *work(void *argument) {
  (void)argument;
  for (long round = 0; round < rounds; round++) {
    lr_interval outer = lr_interval_begin(category, "outer");
    lr_interval inner = lr_interval_begin(category, "inner");
    lr_interval_end(category, "inner", inner);
    lr_event(category, "tick");
    lr_interval_end(category, "outer", outer);
    if (round % 8 == 0) lr_event_message(category, "note", 0, "a message", 9);
    if (round % 16 == 0) {
      lr_async async = lr_async_begin(category, "async", 0, NULL, 0);
      lr_async_end(category, "async", 0, async, NULL, 0);
    }
  }
  printf("%d %ld\n", (int)gettid(), rounds);
  return NULL;
}

/// More categories than a trace has ids, each made twice. LeakSanitizer finds those that are made again.
static bool categories_are_made_once(void) {
  for (int round = 0; round < 2; round++)
    for (int number = 0; number < 200; number++) {
      static const lr_category *made[200];
      char name[8];
      int length = number ? snprintf(name, sizeof name, "%d", number) : 0;
      const lr_category *found = lr_category_make("", 0, name, (size_t)length);
      if (round && found != made[number]) return false;
      made[number] = found;
    }
  return true;
}

static void do_nothing(void *context) { (void)context; }

static void *ask_for_work(void *unused) {
  for (int i = 0; i < 100; i++) lr_background_again();
  return unused;
}

/// Metadata of another thread asks for work that is only being set up.
static void set_work_up(void) {
  pthread_t other;
  bool is_made = pthread_create(&other, NULL, ask_for_work, NULL) == 0;
  lr_background_repeatedly(do_nothing, NULL);
  if (is_made) pthread_join(other, NULL);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int threads = atoi(argv[1]);
  rounds = atol(argv[2]);
  category = lr_category_make("", 0, "proof", 5);
  // A string that is kept for ever is no leak, and the exit waits for the other thread.
  lr_metadata("version", 7, "1", 1);
  lr_background(do_nothing, NULL);
  set_work_up();
  lr_phase phase = lr_phase_begin("did-finish-launching", 20, false);
  pthread_t workers[16];
  for (int i = 0; i < threads && i < 16; i++) pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < threads && i < 16; i++) pthread_join(workers[i], NULL);
  lr_phase_end(&phase);
  lr_mark("ready", 5);
  fprintf(stderr, "%s\n", lr_status_get() == LR_STATUS_RECORDING ? "recording" : "not recording");
  return constructed && categories_are_made_once() ? 0 : 1;
}
