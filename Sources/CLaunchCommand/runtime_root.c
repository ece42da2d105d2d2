// SPDX-License-Identifier: Apache-2.0

#include "CLaunchCommand.h"

// Any header of the C library says whether it is glibc.
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__

// A static initialiser of Swift's runtime finds out where the runtime is, by /proc, and ends the process if it cannot
// (stdlib/public/runtime/Paths.cpp). With SWIFT_ROOT it does not ask. Only a backtrace would need the true place.
static bool is_set;

static void set_root(void) {
  char first;
  if (readlink("/proc/self/exe", &first, 1) < 0 && getenv("SWIFT_ROOT") == NULL)
    is_set = setenv("SWIFT_ROOT", "/", 0) == 0;
}

// Before all initialisers.
__attribute__((section(".preinit_array"), used, retain)) static void (*const set_root_first)(void) = set_root;

void lc_restore_environment(void) {
  if (is_set) unsetenv("SWIFT_ROOT");
}
#else
void lc_restore_environment(void) {}
#endif
