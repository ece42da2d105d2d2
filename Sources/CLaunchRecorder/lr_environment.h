// SPDX-License-Identifier: Apache-2.0

#ifndef LR_ENVIRONMENT_H
#define LR_ENVIRONMENT_H

#include <stddef.h>

/// The environment from its first variable on that may be one of this package: a launch that is not recorded reads its
/// environment once. Letter by letter, because a constant may lie on a page that such a launch does not need.
static inline char **lr_own_variables(char **environment) {
  for (const char *name; (name = *environment); environment++)
    if (name[0] == 'L' && name[1] == 'A' && name[2] == 'U' && name[3] == 'N' && name[4] == 'C' && name[5] == 'H') break;
  return environment;
}

/// The value of the variable whose name and equals sign are `name`, or NULL.
static inline const char *lr_variable(char **environment, const char *name, size_t length) {
  for (; *environment; environment++) {
    size_t same = 0;
    while (same < length && (*environment)[same] == name[same]) same++;
    if (same == length) return *environment + length;
  }
  return NULL;
}

#endif
