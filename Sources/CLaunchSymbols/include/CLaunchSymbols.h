// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_C_LAUNCH_SYMBOLS_H
#define LAUNCHPROF_C_LAUNCH_SYMBOLS_H

#include <stddef.h>

/// The demangled form of a Swift symbol (the runtime's swift_demangle), to be freed; NULL if it is not one.
char *ls_demangle_swift(const char *name, size_t length);

/// The demangled form of an Itanium C++ symbol (__cxa_demangle), to be freed; NULL if it is not one.
char *ls_demangle_cxx(const char *name);

#endif
