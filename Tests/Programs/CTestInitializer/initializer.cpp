// SPDX-License-Identifier: Apache-2.0

#include "CTestInitializer.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void ti_burn(long milliseconds) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000L + (now.tv_nsec - begin.tv_nsec) < milliseconds * 1000000L);
}

void ti_fork(void) {
  pid_t child = fork();
  if (child == 0) return;
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void ti_fork_helper(const char *end) {
  if (fork() != 0) return;
  // Who started the program waits until nobody has its output open.
  for (int stream = 0; stream < 3; stream++) close(stream);
  for (int waited = 0; access(end, F_OK) != 0 && waited < 60000; waited++) usleep(1000);
  _exit(0);
}

/// What the end-to-end tests look for: 5 ms before main, in a C function and in a C++ object.
extern "C" __attribute__((constructor)) void burn_five_milliseconds(void) {
  const char *mode = getenv("LAUNCHPROF_TEST_INITIALIZER");
  if (mode != NULL && strcmp(mode, "crash") == 0) abort();
  if (mode != NULL && strcmp(mode, "burn") == 0) ti_burn(5);
}

namespace catalog {
struct Catalog {
  Catalog() {
    const char *mode = getenv("LAUNCHPROF_TEST_INITIALIZER");
    if (mode != NULL && strcmp(mode, "burn") == 0) ti_burn(3);
  }
};
Catalog all_products;
}  // namespace catalog
