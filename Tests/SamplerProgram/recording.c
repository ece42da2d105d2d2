// SPDX-License-Identifier: Apache-2.0

// In C: the recorder's header is no C++.
#include "CLaunchRecorder.h"

bool beginRecording(void) {
  lr_options options = {.limit = 256u << 20};
  return lr_start(&options) == LR_STARTED;
}
