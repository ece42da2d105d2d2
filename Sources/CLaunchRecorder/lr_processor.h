// SPDX-License-Identifier: Apache-2.0

// The model of the processor, from the kernel's text about all processors (/proc/cpuinfo). Also used by the observer: both
// must name one machine the same.
#ifndef LR_PROCESSOR_H
#define LR_PROCESSOR_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/// What the first line that begins with `key` says. Returns its length, 0 if there is none.
static inline size_t lr_processor_field(const char *text, const char *key, const char **value) {
  for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
    const char *colon = memchr(text, ':', (size_t)(end - text));
    if (colon == NULL || strncmp(text, key, strlen(key)) != 0) continue;
    for (colon++; *colon == ' '; colon++) {}
    *value = colon;
    return (size_t)(end - colon);
  }
  return 0;
}

/// Writes the model, NUL-terminated and cut to `size` bytes; "" if the text has none. For arm64, the kernel knows no name:
/// only who made the processor, and the number of the part (Arm ARM, MIDR_EL1). Some boards have a name of their own.
static inline void lr_processor_model(const char *text, char *model, size_t size) {
  const char *name = "", *maker = "", *part = "";
  size_t length = lr_processor_field(text, "model name", &name);
  if (length == 0) length = lr_processor_field(text, "Model", &name);
  size_t maker_length = lr_processor_field(text, "CPU implementer", &maker);
  size_t part_length = lr_processor_field(text, "CPU part", &part);
  *model = 0;
  if (length > 0) snprintf(model, size, "%.*s", (int)length, name);
  else if (maker_length > 0 && part_length > 0)
    snprintf(model, size, "implementer %.*s part %.*s", (int)maker_length, maker, (int)part_length, part);
}

#endif
