// SPDX-License-Identifier: Apache-2.0

// Opens the library that its first argument names, on a second thread if there is a second argument. It prints how
// long that took, in ns, and on which thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void *open_library(void *path) {
  long long begin = now();
  void *library = dlopen(path, RTLD_NOW);
  printf("%lld %d\n", now() - begin, gettid());
  return library;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) return 2;
  if (argc == 2) return open_library(argv[1]) == NULL;
  pthread_create(&thread, NULL, open_library, argv[1]);
  void *library;
  pthread_join(thread, &library);
  return library == NULL;
}
