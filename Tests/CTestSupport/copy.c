// SPDX-License-Identifier: Apache-2.0

#include "CTestSupport.h"

#include <stddef.h>

void ct_copy_in_order(void *to, const void *from, size_t size) {
  const uint64_t *source = from;
  uint64_t *target = to;
  for (size_t i = 0; i < size / sizeof *source; i++) target[i] = __atomic_load_n(&source[i], __ATOMIC_ACQUIRE);
}
