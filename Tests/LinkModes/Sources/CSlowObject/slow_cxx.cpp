// SPDX-License-Identifier: Apache-2.0

#include "slow.h"

static const slow_span span = slow_work();

slow_span slow_cxx(void) { return span; }
