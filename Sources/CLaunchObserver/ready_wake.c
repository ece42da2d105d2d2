// SPDX-License-Identifier: Apache-2.0

#include "CLaunchObserver.h"

#include <errno.h>
#include <sys/eventfd.h>

int lo_wake_open(void) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return descriptor >= 0 ? descriptor : -errno;
}

void lo_wake(int descriptor) { eventfd_write(descriptor, 1); }

void lo_wake_clear(int descriptor) {
  eventfd_t count;
  eventfd_read(descriptor, &count);
}
