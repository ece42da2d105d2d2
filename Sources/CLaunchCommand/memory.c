// SPDX-License-Identifier: Apache-2.0

#include "CLaunchCommand.h"

// Any header of the C library says whether it is glibc.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void lc_return_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
