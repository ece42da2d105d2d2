// SPDX-License-Identifier: Apache-2.0

#include "slow.h"

static struct slow_span span;

__attribute__((constructor)) static void slow_constructor(void) { span = slow_work(); }

struct slow_span slow_c(void) { return span; }
