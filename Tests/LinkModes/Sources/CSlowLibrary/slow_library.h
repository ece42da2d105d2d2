// SPDX-License-Identifier: Apache-2.0

#pragma once
#include "../CSlowObject/include/slow.h"

/// What the constructor of the shared library libslow.so took, before main.
struct slow_span slow_library(void);
