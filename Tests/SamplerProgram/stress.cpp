// SPDX-License-Identifier: Apache-2.0

// All that has ever made an unwinder in a signal handler wait for ever.
#include "program.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> ends;
std::atomic<uint64_t> loads, allocations, throws, threads;

/// Not loaded by the program itself, so that each dlopen maps, relocates and runs initialisers.
void load() {
  for (const char *name : {"libzstd.so.1", "libsqlite3.so.0", "libresolv.so.2", "libanl.so.1"}) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    loads++;
    dlclose(library);
  }
}

void allocate(unsigned seed) {
  void *blocks[64];
  for (int i = 0; i < 64; i++) blocks[i] = malloc(16 + rand_r(&seed) % (i % 16 == 0 ? 300000 : 2000));
  for (void *block : blocks) free(block);
  allocations += 64;
}

__attribute__((noinline)) void raise(int depth) {
  std::string held(static_cast<size_t>(depth) * 8 + 1, 'x');
  if (depth == 0) throw std::runtime_error("deep down");
  raise(depth - 1);
  throws += held.size() > 1000000;
}

void throwAndCatch() {
  try {
    raise(12);
  } catch (const std::exception &) {
    throws++;
  }
}

void churn() {
  std::vector<std::thread> short_lived;
  for (int i = 0; i < 4; i++) short_lived.emplace_back([] { allocate(7); });
  for (std::thread &thread : short_lived) thread.join();
  threads += 4;
}

template <typename Body> std::thread forever(Body body) {
  return std::thread([body] {
    while (!ends) body();
  });
}

}  // namespace

int stress(double seconds) {
  if (!beginSampling(2000, false)) return 1;
  std::vector<std::thread> others;
  others.push_back(forever(load));
  others.push_back(forever([] { allocate(1); }));
  others.push_back(forever(throwAndCatch));
  others.push_back(forever(churn));
  uint64_t end = monotonicTime() + static_cast<uint64_t>(seconds * 1e9);
  for (int round = 0; monotonicTime() < end; round++) {
    switch (round % 4) {
    case 0: load(); break;
    case 1: allocate(static_cast<unsigned>(round)); break;
    case 2: throwAndCatch(); break;
    default: churn(); break;
    }
  }
  ends = true;
  for (std::thread &other : others) other.join();
  endSampling();
  printf("loads %lu\nallocations %lu\nthrows %lu\nthreads %lu\n", loads.load(), allocations.load(), throws.load(),
         threads.load());
  return 0;
}
