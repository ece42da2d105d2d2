// SPDX-License-Identifier: Apache-2.0

#include "CLaunchObserver.h"

#include "../CLaunchRecorder/lr_processor.h"

void lo_processor_model(const char *information, char *model, size_t size) {
  lr_processor_model(information, model, size);
}
