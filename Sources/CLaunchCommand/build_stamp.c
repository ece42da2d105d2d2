// SPDX-License-Identifier: Apache-2.0

#include "CLaunchCommand.h"

// In a section of its own: scripts/release writes the commit and the toolchain into the finished executable, so that a
// new commit needs no compilation.
__attribute__((used, section(".launchprof_build"), aligned(16))) static volatile const char stamp[LC_BUILD_STAMP_SIZE] = {
  1
};

void lc_build_stamp(char text[LC_BUILD_STAMP_SIZE]) {
  for (int i = 0; i < LC_BUILD_STAMP_SIZE; i++) text[i] = stamp[i];
  text[LC_BUILD_STAMP_SIZE - 1] = 0;
  if (text[0] == 1) text[0] = 0;
}
