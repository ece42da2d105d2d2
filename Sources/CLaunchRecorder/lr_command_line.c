// SPDX-License-Identifier: Apache-2.0

#if defined(__linux__)
#define _GNU_SOURCE
#include "lr_recorder.h"

#define LR_COMMAND_LINE 4096

void lr_write_process_of_kernel(lr_writer *writer) {
  char text[LR_COMMAND_LINE + 1], *arguments[LR_MOST_ARGUMENTS];
  int file = lr_open_file("/proc/self/cmdline", O_RDONLY, 0), count = 0;
  long length = file >= 0 ? lr_system(SYS_read, file, (long)text, LR_COMMAND_LINE, 0, 0, 0) : 0;
  if (file >= 0) lr_system(SYS_close, file, 0, 0, 0, 0, 0);
  if (length < 0) length = 0;
  text[length] = 0;
  for (char *at = text; at < text + length && count < (int)LR_MOST_ARGUMENTS; at += lr_length(at, LR_COMMAND_LINE) + 1)
    arguments[count++] = at;
  // The last argument of a longer line is cut.
  if (length == LR_COMMAND_LINE && count > 1) count--;
  lr_write_process(writer, count, arguments);
}
#endif
