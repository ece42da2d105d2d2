// SPDX-License-Identifier: Apache-2.0

#include "slow_library.h"

static struct slow_span span;

__attribute__((constructor)) static void slow_library_constructor(void) { span = slow_work(); }

struct slow_span slow_library(void) { return span; }
