// SPDX-License-Identifier: Apache-2.0

#include "CLaunchSymbols.h"

#include <stdint.h>

// Linked by name: dlsym finds nothing in an executable with a static standard library.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

char *ls_demangle_swift(const char *name, size_t length) { return swift_demangle(name, length, NULL, NULL, 0); }

char *ls_demangle_cxx(const char *name) {
  int status = 0;
  return __cxa_demangle(name, NULL, NULL, &status);
}
