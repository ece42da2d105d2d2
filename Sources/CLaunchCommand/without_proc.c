// SPDX-License-Identifier: Apache-2.0

#include "CLaunchCommand.h"

// Any header of the C library says whether it is glibc.
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __GLIBC__
// Swift's runtime reads /proc for its own place and for the arguments. A static initialiser ends the process if it does
// not find the place (stdlib/public/runtime/Paths.cpp), unless SWIFT_ROOT names one. Only a backtrace needs the true
// place.
//
// The arguments are also missing if the process may not open another file (ulimit -n).

static struct {
  int argc;
  char **argv;
  bool has_root;
} without_proc;

static void begin(int argc, char **argv) {
  without_proc.argc = argc;
  without_proc.argv = argv;
  char first;
  if (readlink("/proc/self/exe", &first, 1) >= 0) return;
  without_proc.has_root = getenv("SWIFT_ROOT") == NULL && setenv("SWIFT_ROOT", "/", 0) == 0;
}

// Before all initialisers.
__attribute__((section(".preinit_array"), used, retain)) static void (*const begin_first)(int, char **) = begin;

extern void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) __attribute__((weak));

void lc_begin_without_proc(void) {
  if (without_proc.has_root) unsetenv("SWIFT_ROOT");
  if (without_proc.argv && _swift_stdlib_overrideUnsafeArgvArgc)
    _swift_stdlib_overrideUnsafeArgvArgc(without_proc.argv, without_proc.argc);
}
#else
void lc_begin_without_proc(void) {}
#endif
