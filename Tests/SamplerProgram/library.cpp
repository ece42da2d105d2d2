// SPDX-License-Identifier: Apache-2.0

// Takes stacks of a library that the program opens.
#include "program.h"

#include <dlfcn.h>
#include <stdio.h>

static bool hasFewStacks() { return lr_sampler_statistics_get().samples < 20; }

int sampleLibrary(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  void *spin = library != nullptr ? dlsym(library, "spin") : nullptr;
  if (spin == nullptr) fprintf(stderr, "%s\n", dlerror());
  if (spin == nullptr || !beginSampling(1000, false)) return 1;
  reinterpret_cast<void (*)(bool (*)())>(spin)(hasFewStacks);
  endSampling();
  return 0;
}
