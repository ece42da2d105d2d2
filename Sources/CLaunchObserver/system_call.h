// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCHPROF_SYSTEM_CALL_H
#define LAUNCHPROF_SYSTEM_CALL_H

#include "../CLaunchRecorder/lr_system_call.h"

/// A system call that does not touch errno: it returns the result, or −errno.
static inline long lo_system_call(long number, long first, long second, long third, long fourth) {
  return lr_ask_system(number, first, second, third, fourth, 0, 0);
}

#endif
